#!/bin/sh
# prose.sh PYTHON ROOT SCRATCH: scripts/prose.py finds the faults of a page made here, mends those that it can, and
# finds none in the pages of ROOT.
set -eu
python=$1 script=$2/scripts/prose.py page=$3/prose.md

{
  printf '# A head\n\n- It is so `here and there` and '
  seq -s ' ' 100
  printf '\n[good](#a-head)\n'
} >"$page"
if "$python" "$script" "$page" 2>"$page.found"; then exit 1; fi
grep -F 'prose.md:3:' "$page.found"
"$python" "$script" --fix "$page"
grep -x '  93 94 .* 99 100' "$page"
grep -Fx '[good](#a-head)' "$page"

for wrong in 'nowhere.md' 'prose.md#nowhere'; do
  echo "[bad]($wrong)" >"$page"
  if "$python" "$script" --fix "$page" 2>"$page.found"; then exit 1; fi
  grep -F "there is no $wrong" "$page.found"
done
"$python" "$script"
