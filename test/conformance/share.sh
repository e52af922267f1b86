#!/bin/sh
# share.sh PI-CONFORMANCE PLUGIN FOLDER: tests of which some fail and one is killed have the same outcomes
# with a process for each and in processes that they share.
set -eu
program=$1 plugin=$2 folder=$3

for share in 1 50; do
  status=0
  "$program" --plugin "$plugin" --filter 'queue.*' --share $share \
    --outcomes "$folder/share.$share.outcomes" > "$folder/share.$share.log" || status=$?
  test $status = 1
done
cat "$folder/share.50.log"
diff "$folder/share.1.outcomes" "$folder/share.50.outcomes"
grep -q '^\[.*\] passed ' "$folder/share.50.log"
grep -q '^\[.*\] FAILED .*: killed by SIGABRT' "$folder/share.50.log"
