#!/bin/sh
# runtimes.sh [RELEASE...]: installs the runtimes of runtimes.txt, with dpctl, each in a Python
# environment of its own, .deps/runtimes/RELEASE. "ci" stands for the ones that CI runs; without
# arguments all are installed. Skips those that are installed already. numpy and pytest come from
# .deps/venv, which deps.sh makes first.
set -eu

scripts=$(cd "$(dirname "$0")" && pwd)
deps=${SPECPI_DEPS:-$(dirname "$scripts")/.deps}
python=$deps/venv/bin/python

[ -x "$python" ] || {
  echo "$python is not there: run scripts/deps.sh first" >&2
  exit 1
}

# Parts of the wheels that no test needs, and that take most of the space: the compiler of releases
# without headers, a compiler's link step, the preview of the next libsycl, the sanitizers' layer.
unwanted='icx-lto.so libonnxruntime* libsycl-preview* libur_sanitizer_layer*'

# Replaces copies by links: wheels have no links, so libx.so, libx.so.1 and libx.so.1.2 are copies.
link_copies() {
  for long in "$1"/lib*.so.*.*; do
    for short in "${long%%.so*}".so "${long%%.so*}".so.*; do
      [ "$short" = "$long" ] || ! cmp -s "$short" "$long" || ln -sf "$(basename "$long")" "$short"
    done
  done
}

install_runtime() { # RELEASE VERSION DPCTL
  home=$deps/runtimes/$1
  stamp=$home/.installed
  removed=$unwanted
  [ "${2%%.*}" -ge 2026 ] || removed="libsycl-jit.so* $unwanted"
  wanted="$2 dpctl $3 without $removed"
  [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || return 0
  echo "== Runtime $1 ($2, dpctl $3) into $home"
  rm -rf "$home"
  mkdir -p "$deps/runtimes"
  /usr/bin/python3 -m venv --without-pip "$home"
  "$python" -m pip --disable-pip-version-check --python "$home/bin/python" install -q --no-deps \
    "intel-sycl-rt==$2" "intel-cmplr-lib-rt==$2" "intel-cmplr-lib-ur==$2" \
    "intel-cmplr-lic-rt==$2" "dpctl==$3"
  (
    cd "$home/lib"
    # shellcheck disable=SC2086 # these are patterns
    rm -rf $removed
  )
  link_copies "$home/lib"
  # This path comes after the environment's own packages, so that the environment's own dpctl is
  # used.
  "$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
    >"$(echo "$home"/lib/python3*/site-packages)/venv.pth"
  echo "$wanted" >"$stamp"
}

known=$(sed 's/#.*//' "$scripts/runtimes.txt")
for word in "$@"; do
  [ "$word" = ci ] || echo "$known" | awk -v word="$word" '$1 == word {found = 1} END {exit !found}' || {
    echo "runtimes.txt has no release $word" >&2
    exit 2
  }
done
echo "$known" | while read -r release version dpctl when; do
  [ -n "$release" ] || continue
  [ $# = 0 ] && is_wanted=true || is_wanted=false
  for word in "$@"; do
    case $word in "$release" | "${when:-none}") is_wanted=true ;; esac
  done
  ! $is_wanted || install_runtime "$release" "$version" "$dpctl"
done
