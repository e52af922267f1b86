#!/bin/sh
# Checks that bench-chart draws charts and refuses bad ones.
# Arguments: bench-chart, an output directory.
set -eu
chart=$1
cd "$2"

# Draws the chart on stdin, and checks that the result is a PNG file.
draw() {
  cat >chart-test.json
  rm -f chart-test.png
  "$chart" chart-test.json chart-test.png
  test "$(head -c 4 chart-test.png | tail -c 3)" = PNG
}

# Checks that the chart on stdin is refused with a message that contains the text.
refuse() {
  cat >chart-test.json
  rm -f chart-test.png
  if "$chart" chart-test.json chart-test.png 2>chart-test.txt; then
    echo "drawn, and not refused: $1" >&2
    exit 1
  fi
  grep -qF "$1" chart-test.txt || { cat chart-test.txt >&2; exit 1; }
  test ! -e chart-test.png
}

draw <<'END'
{"kind": "bars", "title": "It's 100% of a 'test' \\ $HOME `id`", "subtitle": "it's", "axis": {"label": "ms", "to": 5},
 "line": {"name": "typed in", "at": 1}, "categories": ["a b", "c's"],
 "series": [{"name": "native", "values": [1.5, null]}, {"name": "buffer", "values": [[3, 4.5], 10]}]}
END
draw <<'END'
{"kind": "lines", "title": "t", "x": {"label": "x", "log": true, "from": 1, "to": 1000}, "y": {"label": "y", "log": true},
 "series": [{"name": "two", "points": [[1, 2], [10, 20]]}, {"name": "four", "points": [[1, 3, 2, 4], [10, 30, 20, 40]]}]}
END
draw <<'END'
{"charts": [{"kind": "bars", "title": "t", "axis": {"label": "ms"}, "categories": ["a", "b"],
 "series": [{"name": "s", "values": [0.5, 20]}]}]}
END

# Prints the colours and names in the legend of the chart on stdin.
legend() {
  cat >chart-test.json
  "$chart" chart-test.json chart-test.gp
  grep -o "linecolor '#[0-9A-F]*' title '[^']*'" chart-test.gp | sort
}

# A thing has the same colour and name in all charts, whatever its position and its alias.
legend >chart-test.first <<'END'
{"kind": "bars", "title": "t", "axis": {"label": "ms"}, "categories": ["a"],
 "series": [{"name": "read from a buffer", "values": [2]}, {"name": "set at run time", "values": [1]}]}
END
legend >chart-test.second <<'END'
{"kind": "bars", "title": "t", "axis": {"label": "ms"}, "categories": ["a"],
 "series": [{"name": "set, SPIR-V", "values": [1]}, {"name": "constants in a buffer", "values": [2]}]}
END
test "$(wc -l <chart-test.first)" = 2
cmp chart-test.first chart-test.second
# A bar that is cut shows its full number.
draw <<'END'
{"kind": "bars", "title": "t", "axis": {"label": "ms", "to": 5}, "categories": ["a"],
 "series": [{"name": "s", "values": [40.041]}]}
END
"$chart" chart-test.json chart-test.gp
grep -q '^5 .* "40.0"$' chart-test.gp

refuse 'bars begin at 0; an axis with "log" or "from" is for lines' <<'END'
{"kind": "bars", "title": "t", "axis": {"label": "ms", "log": true}, "categories": ["a"],
 "series": [{"name": "s", "values": [1]}]}
END
refuse 'a bar of -1: bars begin at 0' <<'END'
{"kind": "bars", "title": "t", "axis": {"label": "ms"}, "categories": ["a"], "series": [{"name": "s", "values": [-1]}]}
END
refuse 'of 0 charts there is none with the number 0' <<'END'
{"charts": []}
END
refuse 'there is no kind "pie"' <<'END'
{"kind": "pie", "title": "t", "series": [{"name": "s"}]}
END
refuse 'there is no text "title"' <<'END'
{"kind": "bars", "axis": {"label": "y"}, "categories": ["a"], "series": [{"name": "s", "values": [1]}]}
END
refuse 'a series has 1 values for 2 categories' <<'END'
{"kind": "bars", "title": "t", "axis": {"label": "y"}, "categories": ["a", "b"], "series": [{"name": "s", "values": [1]}]}
END
refuse 'where a number should be there is none' <<'END'
{"kind": "lines", "title": "t", "x": {"label": "x"}, "y": {"label": "y"}, "series": [{"name": "s", "points": [[1, "2"]]}]}
END
refuse 'a line break' <<'END'
{"kind": "lines", "title": "t\nset output", "x": {"label": "x"}, "y": {"label": "y"}, "series": [{"name": "s", "points": [[1, 2]]}]}
END
refuse 'unexpected token' <<'END'
{"kind":
END
rm -f chart-test.json
if "$chart" chart-test.json chart-test.png 2>chart-test.txt; then
  echo 'drawn, and there is no file' >&2
  exit 1
fi
grep -q '^bench: unable to open chart-test.json: No such file' chart-test.txt || { cat chart-test.txt >&2; exit 1; }
rm -f chart-test.*
