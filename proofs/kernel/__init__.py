"""The kernel: statements as objects, and the rules that alone make theorems."""
