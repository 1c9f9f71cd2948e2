"""`python -m toki_verify`."""

import sys

from .cli.main import main

sys.exit(main())
