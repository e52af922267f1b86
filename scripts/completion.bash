# Completes the options and commands of specpi, specpi-cc and pi-conformance in bash: those that --help of
# the program has, whichever version it is.
_specpi_words() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} help commands
  help=$("$program" --help 2>/dev/null) || return
  commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$help")
  if [[ -n $commands && $COMP_CWORD -gt 1 ]]; then
    help=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null) || return
    commands=
  fi
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W \
      "$(grep -oE '(^|[ ,])--?[A-Za-z#][-A-Za-z#]*=?' <<<"$help" | tr -d ' ,' | sort -u)" -- "$word")
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
  else
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
  fi
  return 0
}
complete -o default -F _specpi_words specpi specpi-cc pi-conformance
