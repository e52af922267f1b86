"""``python -m specpi`` runs the program specpi of the same installation."""

import os
import sys

from . import program_path

_path = program_path("specpi")
os.execv(_path, [_path, *sys.argv[1:]])
