#!/bin/sh
# manuals.sh DIRECTORY VERSION PROGRAM...: writes a manual page for each program, and for each
# command that its --help lists, into DIRECTORY. A page has the output of --help.
set -eu
directory=$1 version=$2
shift 2
rm -rf "$directory"
mkdir -p "$directory"

# page NAME PROGRAM [COMMAND]
page() {
  title=$1
  shift
  help=$("$@" --help)
  # The first message after the usage.
  summary=$(printf '%s\n' "$help" | awk 'NR > 1 && /^[A-Z]/ && !/:$/ { on = 1 }
    on { text = text (text ? " " : "") $0 }
    on && /[.]( |$)/ { sub(/[.] .*|[.]$/, "", text); print text; exit }')
  {
    printf '.TH "%s" 1 "" "specpi %s"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n' \
      "$(printf %s "$title" | tr '[:lower:]' '[:upper:]')" "$version" "$title" \
      "${summary:-Finds devices, runs programs, and looks into device images}"
    # roff would take a full stop or a quotation mark at the start of a line for a request.
    printf '%s\n' "$help" | sed 's/\\/\\e/g; s/-/\\-/g; s/^[.'\'']/\\\&&/'
    printf '.fi\n'
  } >"$directory/$title.1"
}

for program in "$@"; do
  name=$(basename "$program")
  page "$name" "$program"
  "$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | while read -r command; do
    page "$name-$command" "$program" "$command"
  done
done
