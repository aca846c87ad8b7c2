"""The resident server of the uiautomator2 package, as far as that package calls it.

`server` is the program, `http` how it is spoken to, `methods` what it does, `selectors` how it
finds what it is asked for.
"""
