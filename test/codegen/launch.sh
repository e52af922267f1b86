#!/bin/sh
# launch.sh SPECPI_CC SPECPI SCRATCH FILE...: launches OpenCL C kernels compiled to SPIR-V and to PTX, without and
# with optimisation. The comments of a FILE contain each launch and the value of argument 0 after the launch:
#     // launch: KERNEL OPTION...
#     // result: NUMBERS
# If the launch must fail, a pattern of the message replaces the result: // error: PATTERN
set -u
specpi_cc=$1 specpi=$2 scratch=$3
shift 3
mkdir -p "$scratch"
launches=0 failed=0

# fail NAME FOUND: reports a failed launch.
fail() {
  printf '%s: %s\n' "$1" "$2"
  failed=$((failed + 1))
}

# check IMAGE: does the launches of $file and prints those with a wrong result.
check() {
  grep -E '^// (launch|result|error): ' "$file" | while IFS= read -r line; do
    words=${line#*: }
    case $line in
      "// launch: "*)
        # shellcheck disable=SC2086 # words
        "$specpi" launch "$1" $words --json >"$scratch/out" 2>"$scratch/err"
        status=$? launch=$words
        found=$(sed -n 's/^{"args":\[\[\([^]]*\)\].*/\1/p' "$scratch/out" | tr ',' ' ')
        ;;
      "// result: "*) [ "$status" = 0 ] && [ "$found" = "$words" ] || echo "$launch: $found $(cat "$scratch/err")" ;;
      *) [ "$status" != 0 ] && grep -q -e "$words" "$scratch/err" || echo "$launch: $found $(cat "$scratch/err")" ;;
    esac
  done
}

for file in "$@"; do
  for options in "--target=spir64 -O0" "--target=spir64 -O2" "--target=nvptx64 -O0" "--target=nvptx64 -O2"; do
    name="$(basename "$file") $options"
    # shellcheck disable=SC2086 # options
    if ! "$specpi_cc" $options --emit=so -o "$scratch/image.so" "$file" 2>"$scratch/err"; then
      fail "$name" "$(cat "$scratch/err")"
      continue
    fi
    wrong=$(check "$scratch/image.so")
    [ -z "$wrong" ] || fail "$name" "$wrong"
    launches=$((launches + $(grep -c '^// launch: ' "$file")))
  done
done
echo "$launches launches"
[ $failed = 0 ] && [ $launches != 0 ]
