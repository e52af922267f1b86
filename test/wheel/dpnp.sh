#!/bin/sh
# dpnp.sh ROOT WHEEL SCRATCH: README's lines for dpctl and dpnp, to the letter, in a fresh environment: both come from
# PyPI with their runtime and oneMKL (2.7 GB), and compute on the fake CUDA driver, under specpi run and alone.
set -eu
root=$1 wheel=$2 scratch=$3
say() { printf '== %s\n' "$*"; }
fail() {
  echo "$*" >&2
  exit 1
}
packages=$(sed -n 's/^    \(pip install .*dpnp.*\)/\1/p' "$root/README.md")
program=$(sed -n "/^    specpi run .*dpnp/,/'\$/s/^    //p" "$root/README.md")
[ "$packages" ] || fail 'README has no line that installs dpnp'
[ "$program" ] || fail 'README has no line that runs dpnp'

rm -rf "$scratch"
mkdir -p "$scratch/work"
cd "$scratch/work"
/usr/bin/python3 -m venv "$scratch/venv"
here() { env -i HOME="$scratch" PATH="$scratch/venv/bin:/usr/bin:/bin" LD_LIBRARY_PATH="$root/build/fakes/cuda" "$@"; }
here pip install -q --disable-pip-version-check --no-index "$wheel"
say "$packages"
here sh -c "$packages -q --disable-pip-version-check"

for command in "$program" "${program#specpi run -- }"; do
  say "$command"
  here FAKE_CUDA_STRICT=1 sh -c "$command" | tee said
  grep -q 'CUDA for tests' said || fail 'the GPU is not listed'
  grep -q ' 332833500$' said || fail 'the sum of squares is another one'
done
say 'All is well'
