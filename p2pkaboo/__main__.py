"""`python -m p2pkaboo`: the same as the command `p2pkaboo`."""

from p2pkaboo.cli.main import main

if __name__ == "__main__":
    main()
