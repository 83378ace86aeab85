"""What is printed, as data: formulas and their slips, arithmetic for a reader with a pencil."""
