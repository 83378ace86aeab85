"""``python -m verify`` and the console script: the program, guarded from its first import on."""

import sys


def main() -> None:
    """Run the command line; an interrupt while it is still being imported exits with 3 as well."""
    try:
        from verify.cli import main as run
    except KeyboardInterrupt:
        sys.exit(3)
    run()


if __name__ == "__main__":
    main()
