"""Why do two numbers differ? Inside Review: sides, the rules on which they part, and the steps."""
