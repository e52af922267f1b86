# Included by the examples' check.sh. Their arguments are the backend under test (host, or a backend
# for ONEAPI_DEVICE_SELECTOR) and the program.
set -eu
backend=$1 program=$2
device=
if [ "$backend" = host ]; then
  device='--device host'
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# right OPTION...: expects a table with three times, and equal results.
right() {
  # shellcheck disable=SC2086 # two words
  "$program" $device --rounds 1 "$@" >"$scratch/said"
  cat "$scratch/said"
  [ "$(grep -c ' ms ' "$scratch/said")" -eq 3 ]
  grep -q 'the results are equal, and are the host' "$scratch/said"
}

# refused STATUS WHAT OPTION...: expects that status, no table, and a message that contains WHAT.
refused() {
  expected=$1 what=$2
  shift 2
  status=0
  "$program" "$@" >"$scratch/said" 2>"$scratch/error" || status=$?
  cat "$scratch/error"
  [ "$status" -eq "$expected" ] || { echo "status $status, not $expected: $*" >&2; exit 1; }
  grep -qF -e "$what" "$scratch/error" || { echo "no sentence with $what: $*" >&2; exit 1; }
  [ ! -s "$scratch/said" ] || { echo "a table in spite of an error: $*" >&2; exit 1; }
}
