#!/bin/sh
# prose.sh PYTHON ROOT SCRATCH: checks that scripts/prose.py finds faults in pages and in the text of sources, mends
# those that it can, and finds none in the files of ROOT.
set -eu
python=$1 script=$2/scripts/prose.py scratch=$3 page=$3/prose.md

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

# refused NAME TEXT FAULTS: a file with the text has these faults, a line each, and no others.
refused() {
  printf '%b' "$2" >"$scratch/$1"
  if "$python" "$script" "$scratch/$1" 2>"$page.found"; then exit 1; fi
  sed "s:.*$1\:::" "$page.found" >"$page.faults"
  printf '%b' "$3" | diff - "$page.faults"
}

refused words.c '/* What it is. */\nint behind; /* A `room`. */\nconst char *text = "told\\n";\n/*\n * A number\n * behind\n */\n' \
  '1: a comment begins with "What"\n3: "told": passed, reports, is passed?\n6: "behind": after, past?\n'
refused words.py '"""Of the\nbegin."""\nrooms = "two faces"\n' \
  '1: a comment begins with "Of"\n1: "the begin": start?\n3: "faces": entry points?\n'
refused words.sh '#!/bin/sh\n# How it goes\n# on, and what is noted.\necho behind\n' \
  '2: a comment begins with "How"\n3: "noted": is recorded?\n'
refused words.md 'What a page says is `told`.\n\n```\nbehind\n```\n\nIt hands\nout [rooms](words.md).\n' \
  '7: "hands out": returns, passes?\n8: "rooms": space, capacity?\n'
"$python" "$script"
