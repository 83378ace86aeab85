"""``python -m verify``: the program, guarded from its first import on."""

from recallproof import main

if __name__ == "__main__":
    main()
