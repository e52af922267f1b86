#!/bin/sh
# The table of docs/conformance.md names each test about constants once, and no other. Arguments:
# pi-conformance, the page.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$1" --list | sed -n 's/^constants\.//p' | sort >"$work/suite"
sed -n '/^### Tests and outcomes$/,/^### On CUDA$/p' "$2" | grep '^| [0-9-]' | grep -o '`[a-z0-9_]*`' |
  tr -d '`' | sort >"$work/page"
[ -s "$work/suite" ]
diff -u "$work/suite" "$work/page"
