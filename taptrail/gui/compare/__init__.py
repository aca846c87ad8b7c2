"""The comparison page inside Review: sides, the rules that decide differently, and the steps."""
