"""The adb side of the phone: packets, streams, services."""
