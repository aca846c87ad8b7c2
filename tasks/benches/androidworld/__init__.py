"""AndroidWorld's rules, written from its released code.

Source: google-research/android_world at d9c569f764b3a5629321858de03ff653d0f24056 (2026-02-24).
Rules keep the benchmark's quirks: they reproduce its numbers, they are no opinion.
"""

COMMIT = "d9c569f764b3a5629321858de03ff653d0f24056"
