#!/bin/sh
# share.sh PI-CONFORMANCE PLUGIN DIRECTORY: checks that tests have the same outcomes in shared processes as in
# processes of their own, even if some fail and one is killed.
set -eu
program=$1 plugin=$2 directory=$3

for share in 1 50; do
  status=0
  "$program" --plugin "$plugin" --filter 'queue.*' --share $share \
    --outcomes "$directory/share.$share.outcomes" > "$directory/share.$share.log" || status=$?
  test $status = 1
done
cat "$directory/share.50.log"
diff "$directory/share.1.outcomes" "$directory/share.50.outcomes"
grep -q '^\[.*\] passed ' "$directory/share.50.log"
grep -q '^\[.*\] FAILED .*: killed by SIGABRT' "$directory/share.50.log"
