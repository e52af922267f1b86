#!/bin/sh
# precompiled.sh HOME DIRECTORY SPECPI_CC COMPILER: checks the precompiled headers for the host's compiler. They are
# made once, used where they have the same meaning, and made again after a header has changed.
set -eu
[ -f "$1/.installed" ] || {
  echo "skipped: $1 is not installed (make runtimes)"
  exit 77
}
to="$2/headers of $(basename "$4")"
rm -rf "$to"
mkdir -p "$to/bin" "$to/cache" "$to/runtime/lib" "$to/hiding/bits"
cd "$to"
# A copy of the runtime's headers, which this test changes.
cp -R "$1/include" runtime/include
ln -s "$1"/lib/*.so* runtime/lib/
unset SPECPI_CACHE_DIR
export XDG_CACHE_HOME="$to/cache"
made=$to/cache/specpi/headers
cc=$3
# The compiler. While a file "quick" is there, it makes empty objects for commands with "-c -o OBJECT".
compiler=$to/bin/$(basename "$4")
cat >"$compiler" <<END
#!/bin/sh
for word; do [ "\$last" != -o ] || object=\$word; last=\$word; done
case " \$*" in *' -c -o '*) [ ! -e "$to/quick" ] || exec "$4" -x c++ -c -o "\$object" /dev/null ;; esac
exec "$4" "\$@"
END
chmod +x "$compiler"

cat >plain.cpp <<'END'
/* A comment, // and in it another.
#include "nothing.hpp" */
#include <cstdio> // a line \
that goes on

# include <stdint.h>
#include <sycl/sycl.hpp>
constexpr sycl::specialization_id<int> number(7);
int main() {
  sycl::queue q;
  int *p = sycl::malloc_shared<int>(1, q);
  q.submit([&](sycl::handler &h) {
    h.set_specialization_constant<number>(42);
    h.single_task([=](sycl::kernel_handler k) { *p = k.get_specialization_constant<number>(); });
  }).wait();
  q.parallel_for(1501, [=](sycl::item<1> i) { *p += i.get_id() == 1500 ? (int)i.get_range(0) : 0; }).wait();
  std::printf("%d\n", *p);
  return *p != 1543;
}
END
{ echo '#define SOMETHING 1' && cat plain.cpp; } >defines.cpp
echo '#define OWN' >own.hpp
echo '#include_next <bits/stl_algobase.h>' >hiding/bits/stl_algobase.h

# compile yes|no WORD...: compiles an object, and checks whether that uses precompiled headers.
compile() {
  expected=$1
  shift
  "$cc" -v "--host-compiler=$compiler" "--sycl-rt=$to/runtime/lib" -c -o object.o "$@" 2>words.txt || {
    cat words.txt
    exit 1
  }
  found=no
  grep -q -- '-include [^ ]*/precompiled.hpp' words.txt && found=yes
  [ "$found" = "$expected" ] || {
    echo "precompiled headers for $*: $found, expected $expected"
    exit 1
  }
}
count() {
  find "$made" -name '*.gch' | wc -l
}
expect() {
  [ "$1" -eq "$2" ] || {
    echo "$3: $1, expected $2"
    exit 1
  }
}

compile yes plain.cpp
expect "$(count)" 1 'precompiled headers'

# After a header has changed they are made again. The dependency file names the headers and no precompiled file.
stamp=$(stat -c %y "$made"/*.gch)
sleep 0.1
echo '#define CHANGED 1' >>runtime/include/sycl/queue.hpp
compile yes plain.cpp -- -MD -MF object.d
[ "$(stat -c %y "$made"/*.gch)" != "$stamp" ] || {
  echo 'headers that have changed are not precompiled again'
  exit 1
}
grep -q 'sycl/queue.hpp' object.d
if grep -E 'gch|precompiled' object.d; then
  exit 1
fi

# Cases that do not depend on the compiler are tried with one. Only its words count.
if [ "$(basename "$compiler")" = c++ ]; then
  touch quick
  # Text before the header, and other headers of the same names, could change its meaning.
  compile no defines.cpp
  compile no plain.cpp -- -include own.hpp
  compile no plain.cpp -- -I hiding
  compile yes plain.cpp -- -I runtime/include -I .
  expect "$(count)" 1 'precompiled headers'

  # The cache is off, or other users may write to it.
  SPECPI_CACHE_DIR='' compile no plain.cpp
  chmod 777 "$made"
  compile no plain.cpp
  chmod 700 "$made"

  # Only the four most recently used precompiled headers are kept.
  for name in a b c d; do
    touch -d 2020-01-01 "$made/$name.hpp" "$made/$name.hpp.d" "$made/$name.hpp.gch"
  done
  touch -d 2019-01-01 "$made/b.hpp.d"
  compile yes plain.cpp -DVALUE=1
  expect "$(count)" 4 'precompiled headers'
  if [ -e "$made/b.hpp.gch" ] || [ -e "$made/b.hpp" ]; then
    echo 'the headers that were used longest ago are still there'
    exit 1
  fi
  rm quick
fi

"$SPECPI" cache | grep 'MiB of precompiled headers'
"$SPECPI" cache clear >/dev/null
expect "$(find "$made" -type f | wc -l)" 0 'files after specpi cache clear'

# The program's results are right in the run that precompiles the headers, in the next one, and without such headers.
# libsycl's headers round ranges up in each, because they see the language version of the device.
for run in 1 2 3; do
  [ "$run" -lt 3 ] || export SPECPI_CACHE_DIR=
  "$cc" "--host-compiler=$compiler" "--sycl-rt=$to/runtime/lib" plain.cpp -o "plain$run"
  LD_LIBRARY_PATH=$CUDA_DRIVER SYCL_PARALLEL_FOR_RANGE_ROUNDING_TRACE=1 \
    "$SPECPI" run --cuda --sycl-rt "$to/runtime/lib" -- "./plain$run" | tee out.txt
  grep -q '^1543$' out.txt
  grep -q 'from 1501 to 1504' out.txt || {
    echo 'a range is launched as it is, which no size of work-groups divides'
    exit 1
  }
done
rm -rf "$to/cache" "$to/runtime"
