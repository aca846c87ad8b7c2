"""Models that drive a phone: loops, the hand, stop rules, the gate, and lists of work.

An agent acts through a recording session, so its steps are stored like a person's. It is asked by
the recipes of `replay.asking`, in the same words as offline.
"""
