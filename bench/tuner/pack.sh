#!/bin/sh
# pack.sh DIRECTORY PYTHON packs the files that tuner.py needs on a GPU machine without a compiler
# and a package registry: the images, the wheel in dist/ (make wheel), and Kernel Tuner's wheels for
# a Python version like "3.12". The machine must have NumPy, SciPy, pandas, scikit-learn, joblib,
# cuda-bindings, NVRTC and CuPy. Run it after . build/env.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
directory=$1 version=$2
missing='kernel_tuner|python-constraint2|xmltodict|jsonschema|jsonschema-specifications|referencing|rpds-py|attrs|typing_extensions'

mkdir -p "$directory"
for kernel in product convolution; do
  specpi-cc --emit=so -o "$directory/$kernel.spv.so" "$here/$kernel.cl"
  specpi-cc --emit=so --target=nvptx64 -o "$directory/$kernel.ptx.so" "$here/$kernel.cl"
done
cp "$root"/dist/specpi-*.whl "$directory"
grep -E "^($missing)==" "$root/scripts/tuner-requirements.txt" >"$directory/requirements.txt"
python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: --python-version "$version" \
  -d "$directory" -r "$directory/requirements.txt"
