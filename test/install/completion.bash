# completion.bash FILE: what the completion in FILE offers, of the programs in PATH.
# shellcheck disable=SC1090,SC2317
set -euo pipefail
compopt() { :; }
. "$1"

# offers WORD LINE...: for the last word of the line; WORD is one of what is offered.
offers() {
  local expected=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _specpi_words
  printf '%s\n' "${COMPREPLY[@]}" | grep -qFx -e "$expected" || {
    echo "'$*' has no $expected: ${COMPREPLY[*]}" >&2
    exit 1
  }
}
offers launch specpi la
offers --global specpi launch --gl
offers --emit= specpi-cc --em
offers -shared specpi-cc -s
offers '-###' specpi-cc -
offers --filter= pi-conformance --fi
