# refused.sh DIRECTORY LOWER: prints the name of each module of the directory and LOWER's message about it.
for case in "$1"/*.ll; do
  cat "$1/common" "$case" > "$case.all"
  echo "$case"
  "$2" --unit-id=unit --emit=kernels "$case.all" 2>&1 && echo 'not refused'
done
:
