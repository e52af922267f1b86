#!/bin/sh
# Runs clang, and keeps a copy of the module that it makes an object of.
for last; do :; done
case $last in *.bc) cp "$last" kept.bc ;; esac
exec clang++-15 "$@"
