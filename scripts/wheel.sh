#!/bin/sh
# wheel.sh [OUT]: makes the wheel and the source distribution of specpi in dist/ or OUT. The wheel's
# tag has the glibc that auditwheel finds it needs. The bytes depend on the sources and tools only:
# times are those of the last commit, or SOURCE_DATE_EPOCH. Run scripts/deps.sh first.
set -eu

LIMIT_MB=90

scripts=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$scripts")
deps=${SPECPI_DEPS:-$root/.deps}
out=${1:-$root/dist}
home=$deps/wheel

say() { printf '== %s\n' "$*"; }

SPECPI_DEPS=$deps "$scripts/venv.sh" wheel

# A source distribution has no history, so the time is that of its files, which all have the same.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  if [ -e "$root/.git" ]; then
    SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
  else
    SOURCE_DATE_EPOCH=$(stat -c %Y "$root/pyproject.toml")
  fi
fi
SPECPI_DEPS=$deps
export SOURCE_DATE_EPOCH SPECPI_DEPS

# Builds from scratch, because linking again would put parts into another order.
rm -rf "$root/build-wheel"
made=$root/build-wheel/made
mkdir -p "$made" "$out"
cd "$root"
say "Building"
"$home/bin/python" -m build --no-isolation --skip-dependency-check --wheel --outdir "$made" .
"$home/bin/python" -m build --no-isolation --skip-dependency-check --sdist --outdir "$out" .

report=$("$home/bin/auditwheel" show "$made"/*.whl)
tag=$(printf '%s\n' "$report" | tr '\n' ' ' | sed -n 's/.*following platform tag: "\(manylinux[^"]*\)".*/\1/p')
[ -n "$tag" ] || {
  printf '%s\n' "$report" >&2
  echo "the wheel needs what other systems do not have: auditwheel gives it no tag of manylinux" >&2
  exit 1
}
"$home/bin/wheel" tags --platform-tag "$tag" --remove "$made"/*.whl >/dev/null

size=$(stat -c %s "$made"/*.whl)
[ "$size" -le $((LIMIT_MB * 1000000)) ] || {
  echo "the wheel has $size bytes, more than $LIMIT_MB MB" >&2
  exit 1
}
mv "$made"/*.whl "$out"
say "$(cd "$out" && ls specpi-*"$tag".whl), $((size / 1000000)) MB"
