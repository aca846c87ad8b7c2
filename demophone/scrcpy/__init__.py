"""The scrcpy server of the phone."""
