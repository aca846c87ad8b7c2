"""The scrcpy protocol, from the side of the computer."""
