#!/bin/sh
# verbs.sh ROOT SCRATCH CC MOST LIBRARY OBJECTS [LIBRARY OBJECTS]...: checks the verbs of plugins/objects. driver.h
# declares at most MOST of them, and every verb of defaults.h has a weak definition. In each LIBRARY a driver's own
# definition has replaced the weak one; OBJECTS is the list of its object files, joined by colons. First the script
# checks itself on libraries in SCRATCH.
set -eu
root=$1 scratch=$2/verbs cc=$3 most=$4
shift 4
export LC_ALL=C
rm -rf "$scratch"
mkdir -p "$scratch"

# Prints the verbs that the header $1 declares.
declared() {
  sed 's,/\*.*\*/,,; /\/\*/,/\*\//d' "$1" | grep -Eo '\bdriver_[a-z0-9_]+\(' | tr -d '(' | sort
}

# Prints the verbs that the object files $2 (joined by colons) define with the kind $1: T or W.
defined() (
  IFS=:
  # shellcheck disable=SC2086 # a list
  nm --defined-only $2 | awk -v kind="$1" '$2 == kind && $3 ~ /^driver_/ { print $3 }' | sort
)

# Prints the verbs whose weak definition the library $1 has.
weak_in() {
  objdump -t "$1" | awk '/[ \t]F driver_defaults[ \t]/ { print $NF }' | sort
}

# Checks that the library $1 has the weak definition of those verbs that only defaults.c of its object files $2 defines.
check() {
  defined W "$2" >"$scratch/weak"
  defined T "$2" >"$scratch/strong"
  [ -s "$scratch/weak" ] || { echo "$1: no weak definitions among its object files"; return 1; }
  comm -23 "$scratch/weak" "$scratch/strong" >"$scratch/expected"
  weak_in "$1" >"$scratch/found"
  diff "$scratch/expected" "$scratch/found" >"$scratch/diff" || { echo "$1: not the driver's own:"; cat "$scratch/diff"; return 1; }
}

# ---- The self-test: a library of object files is right; in one of an archive the weak definition hides the driver's.

build() (
  cd "$scratch"
  cat >weak.c <<'END'
__attribute__((weak, section("driver_defaults"))) int driver_one(void) { return 1; }
__attribute__((weak, section("driver_defaults"))) int driver_two(void) { return 1; }
END
  echo 'int driver_one(void) { return 2; }' >strong.c
  echo 'int driver_one(void), driver_two(void); int entry(void) { return driver_one() + driver_two(); }' >entry.c
  for source in weak strong entry; do
    "$cc" -fPIC -fvisibility=hidden -c $source.c -o $source.o
  done
  ar rc archive.a weak.o strong.o
  "$cc" -shared entry.o weak.o strong.o -o objects.so
  "$cc" -shared entry.o archive.a -o archive.so
)
build
check "$scratch/objects.so" "$scratch/weak.o:$scratch/strong.o"
if check "$scratch/archive.so" "$scratch/weak.o:$scratch/strong.o" >"$scratch/log"; then
  echo 'verbs.sh does not see that a weak definition hides a driver'\''s own' >&2
  exit 1
fi

# ---- The headers

count=$(declared "$root/plugins/objects/driver.h" | wc -l)
if [ "$count" -gt "$most" ] || [ "$count" -lt 50 ]; then
  echo "driver.h declares $count verbs, the most are $most: give the new one a default in defaults.h, or merge two" >&2
  exit 1
fi
declared "$root/plugins/objects/defaults.h" >"$scratch/optional"
defined W "$2" >"$scratch/weak"
diff "$scratch/optional" "$scratch/weak" || {
  echo 'defaults.h does not declare the verbs that defaults.c defines' >&2
  exit 1
}

# ---- The libraries

while [ $# -ge 2 ]; do
  check "$1" "$2"
  echo "$1: $(wc -l <"$scratch/found") of $(wc -l <"$scratch/optional") verbs by default, driver.h has $count"
  shift 2
done
