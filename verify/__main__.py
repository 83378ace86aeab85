"""``python -m verify`` is the program ``verify``."""

from verify.cli import main

if __name__ == "__main__":
    main()
