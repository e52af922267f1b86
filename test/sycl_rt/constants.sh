#!/bin/sh
# constants.sh LOWER DIRECTORY SPIRV_AS SPIRV_VAL SPIRV_DIS: rewrites each module of constants/ and validates the result.
# A module's comments have the expected output, line by line ("; says: TEXT"), lines that the result must have ("; has:
# PATTERN"), lines that it must not have ("; lacks: PATTERN"), or the expected error ("; refuses: TEXT").
set -eu
source=$(cd "$(dirname "$0")" && pwd)/constants
lower=$1
directory=$2/constants
as=$3
val=$4
dis=$5
rm -rf "$directory"
mkdir -p "$directory"
cd "$directory"

fail() {
  echo "$name: $1" >&2
  cat told >&2
  exit 1
}

for file in "$source"/*.spvasm; do
  name=$(basename "$file" .spvasm)
  "$as" --target-env spv1.4 -o in.spv "$file"
  sed -n 's/^; \(refuses\|says\): //p' "$file" >expected
  rm -f out.spv
  if grep -q '^; refuses: ' "$file"; then
    status=0
    "$lower" in.spv out.spv >told || status=$?
    [ "$status" = 3 ] || fail "not refused, but $status"
    [ ! -e out.spv ] || fail "there is an output"
  else
    "$lower" in.spv out.spv >told || fail "refused"
    "$val" --target-env spv1.4 out.spv >&2 || fail "not valid"
    "$dis" --no-header out.spv >text
    sed -n 's/^; has: //p' "$file" | while read -r pattern; do
      grep -q -e "$pattern" text || fail "there is no line $pattern"
    done
    sed -n 's/^; lacks: //p' "$file" | while read -r pattern; do
      ! grep -e "$pattern" text || fail "there is a line $pattern"
    done
  fi
  diff expected told || fail "it was expected to say something else"
  # A module that is cut off anywhere leads to a message or to a module, but never to a crash.
  size=$(wc -c <in.spv)
  at=0
  while [ "$at" -lt "$size" ]; do
    head -c "$at" in.spv >cut.spv
    "$lower" cut.spv cut.out >told || [ $? = 3 ] || fail "it ends otherwise when cut at $at"
    at=$((at + 20))
  done
  echo "$name"
done
