#!/bin/sh
# Tests that the filter's programs make the same pictures, and refuse files that are no pictures.
# Arguments: a directory for output, demo-filter, specpi, the directory of libsycl,
# demo-filter-sycl.
set -eu
work=$1 filter=$2 specpi=$3 runtime=$4 filter_sycl=$5
rm -rf "$work"
mkdir -p "$work/drawn" "$work/read"
cd "$work"

over_sycl() { "$specpi" run --sycl-rt "$runtime" -- "$filter_sycl" "$@"; }

# Filters the drawn picture, and the same picture from its file.
"$filter" --rounds 1 --output drawn --times drawn/times.json
over_sycl --output drawn
"$filter" --rounds 1 --output read drawn/picture.png
over_sycl --output read drawn/picture.png
for radius in 2 4 8; do
  for other in drawn/sycl read/specpi read/sycl; do
    cmp "drawn/specpi-radius-$radius.png" "$other-radius-$radius.png"
  done
done
cmp -s drawn/picture.png drawn/specpi-radius-2.png && { echo 'nothing was blurred' >&2; exit 1; }
test ! -e read/picture.png

# PNG files of other kinds, and damaged ones.
python3 - <<'END'
import struct, zlib

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

def png(width, height, depth, colour, row, *more):
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    rows = zlib.compress((b"\0" + row) * min(height, 8))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(more) + chunk(b"IDAT", rows)
            + chunk(b"IEND", b""))

files = {
    "good-grey.png": png(1, 1, 8, 0, b"\x80"),
    "good-palette.png": png(3, 2, 8, 3, b"\0\1\0", chunk(b"PLTE", b"\1\2\3\4\5\6")),
    "good-deep.png": png(2, 8, 16, 6, b"\1\2\3\4\5\6\7\x08" * 2),
    "same-in-8-bits.png": png(3, 8, 8, 2, b"\x10\x40\x90" * 3),
    "same-in-16-bits.png": png(3, 8, 16, 2, b"\x10\x10\x40\x40\x90\x90" * 3),
    "bad-size.png": png(0x7fffffff, 0x7fffffff, 8, 6, b"\0" * 8),
    "bad-area.png": png(900000, 900000, 8, 6, b"\0" * 8),
    "bad-rows.png": png(64, 64, 8, 6, b"\0" * 256),
    "bad-empty.png": b"",
    "bad-zero.png": png(0, 4, 8, 6, b""),
    "bad-text.png": b"this is no picture\n" * 40,
}
drawn = open("drawn/picture.png", "rb").read()
files["bad-short.png"] = drawn[: len(drawn) // 2]
files["bad-header.png"] = drawn[:20]
files["bad-byte.png"] = drawn[:5000] + b"\xff" * 64 + drawn[5064:]
for name, content in files.items():
    with open(name, "wb") as file:
        file.write(content)
END
for good in good-*.png; do
  "$filter" --rounds 1 --output read "$good"
done
# A picture without a colour space has a screen's colours (sRGB), with 8 and with 16 bits.
"$filter" --rounds 1 --output drawn same-in-8-bits.png
"$filter" --rounds 1 --output read same-in-16-bits.png
cmp drawn/specpi-radius-4.png read/specpi-radius-4.png

# refused WHAT COMMAND...: expects status 1, one message that contains WHAT, and no picture.
refused() {
  what=$1
  shift
  mkdir -p none
  status=0
  "$@" >said 2>error || status=$?
  cat error
  [ "$status" -eq 1 ] || { echo "status $status, not 1: $*" >&2; exit 1; }
  [ "$(grep -cF "$what" error)" -eq 1 ] || { echo "no sentence with $what: $*" >&2; exit 1; }
  rmdir none
}
for bad in bad-*.png nowhere.png; do
  refused "$bad" "$filter" --output none "$bad"
done
refused bad-short.png over_sycl --output none bad-short.png
refused "$work/nowhere" "$filter" --rounds 1 --output "$work/nowhere" good-grey.png
grep -q WRONG said && { echo 'a directory that is not there makes no byte wrong' >&2; exit 1; }
refused nowhere/times.json "$filter" --rounds 1 --output read --times nowhere/times.json good-grey.png

# unknown TEXT COMMAND...: expects status 2 for a wrong command line, and two lines: the reason, and
# where the options are listed.
unknown() {
  what=$1
  shift
  status=0
  "$@" >said 2>error || status=$?
  [ "$status" -eq 2 ] || { echo "status $status, not 2: $*" >&2; exit 1; }
  grep -qF -e "$what" error
  grep -qF -e '--help lists the options' error
  [ "$(wc -l <error)" -eq 2 ]
}
unknown '--rounds 0: a number from 1' "$filter" --rounds 0
unknown '--rounds 7x: a number from 1' "$filter" --rounds 7x
unknown '--sharpen' "$filter" --sharpen
unknown 'one picture is filtered, 2 are given' "$filter" good-grey.png good-deep.png
