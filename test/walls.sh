#!/bin/sh
# walls.sh ROOT SCRATCH: checks the rules of docs/design.md about which directory may include which. First the script
# checks itself on a tree in SCRATCH that breaks the rules; then it checks ROOT.
set -eu

# Prints the includes of the tree $1 that are not allowed; fails if there are any.
check() (
  cd "$1"
  find include pi ur ze plugins runtime sycl compiler tools -type f \
    \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.def' -o -name '*.inc' \) | sort | xargs awk '
    # Returns the paths that a file of each directory may include. A plugin is a directory of plugins/ that has no line
    # of its own. No file may include the directories that are not named: test/ and fakes/.
    function allowed(file,   plugin) {
      if (file ~ /^include\//) return "^include/"
      if (file ~ /^compiler\/(codegen|spirv|sycl_jit)\//) return "^(compiler/|plugins/(base|code)/)"
      if (file ~ /^compiler\//) return "^(compiler/|plugins/(base/(child|digest|digits|directory|find|nearest|os|program|read|vector|write)|code/(libdevice_place|ptx_name))[.]h$)"
      if (file ~ /^runtime\//)
        return "^(runtime/|plugins/(base/(cache(_[a-z]+)*|cancellation|digest|digits|error|directory|find|names|nearest|os|own_directory|vector|words|write)|code/(code_head|code_info|constants|ptx_image|spirv(_code|_types)?))[.]h$)"
      if (file ~ /^sycl\//) return "^sycl/"
      if (file ~ /^tools\//)
        return "^(tools/|runtime/(image_file|scalar_types|signature)[.]h$|plugins/(base/(child|digits|directory|level_zero_served|names|nearest|program|vector|write)|code/(code_head|codegen_place|libdevice_place|spirv))[.]h$)"
      if (file ~ /^pi\//) return "^(pi/|plugins/(base|checks|code|objects)/|sink[.]h$)"
      if (file ~ /^ur\//) return "^(ur/|plugins/(base|checks|code|objects)/)"
      if (file ~ /^ze\//) return "^(ze/|plugins/(base|checks|code|objects)/)"
      if (file ~ /^plugins\/base\//) return "^plugins/base/"
      if (file ~ /^plugins\/code\//) return "^plugins/(base|code)/"
      if (file ~ /^plugins\/checks\//) return "^plugins/(base|checks|code)/"
      if (file ~ /^plugins\/objects\//) return "^(plugins/(base|checks|code|objects)/|driver_parts[.]h$)"
      plugin = file
      sub(/^plugins\//, "", plugin)
      sub(/\/.*/, "", plugin)
      return "^(pi/|plugins/(base|checks|code|objects|" plugin ")/)"
    }
    # Returns the directories that may include a header of another project.
    function owner(header) {
      if (header ~ /^CL\/(cl|opencl)/) return "^(plugins/opencl/|runtime/opencl_native[.]h$)"
      if (header ~ /^level_zero\//) return "^(plugins/level_zero|ze)/"
      if (header ~ /^(cuda|nv)/) return "^plugins/cuda/"
      if (header ~ /^(llvm|clang|LLVM)/) return "^compiler/"
      if (header ~ /^specpi\/specpi[.]h/) return "^(runtime|tools|include)/"
      if (header ~ /^sycl\//) return "^(include|sycl)/"
      if (header ~ /^ur\//) return "^(ur/|ze/|include/ur/|tools/)"
      return ""
    }
    function refuse(header, reason) {
      print FILENAME ":" FNR ": " header " " reason
      failed = 1
    }
    /^[ \t]*#[ \t]*include[ \t]*</ {
      split($0, parts, /[<>]/)
      if (FILENAME !~ owner(parts[2])) refuse("<" parts[2] ">", "is not for this directory")
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
      split($0, parts, "\"")
      path = FILENAME
      sub(/[^\/]*$/, "", path)
      path = path parts[2]
      while (match(path, /[^\/]+\/[.][.]\//))
        path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
      # A path that does not exist relative to the file is relative to the directory of the driver.
      if ((getline line < path) < 0) path = parts[2]
      else close(path)
      if (path !~ allowed(FILENAME)) refuse("\"" path "\"", "is behind a wall")
    }
    END { exit failed }'
)

# ---- The self-test: a tree in which every include is allowed, and one forbidden include at a time

tree=$2/walls
rm -rf "$tree"
for directory in include/pi include/ur pi ur ze plugins/base plugins/checks plugins/code plugins/objects plugins/one plugins/two plugins/cuda \
  runtime sycl compiler/codegen compiler/sycl_jit tools test fakes; do
  mkdir -p "$tree/$directory"
  : >"$tree/$directory/it.h"
done
: >"$tree/plugins/one/driver_parts.h"
: >"$tree/plugins/base/error.h"
printf '#include "it.h"\n#include "../base/it.h"\n#include "driver_parts.h"\n#include <pi/pi.h>\n' \
  >"$tree/plugins/objects/queue.c"
printf '#include "../objects/it.h"\n#include "../../pi/it.h"\n#include "driver_parts.h"\n' >"$tree/plugins/one/one.c"
printf '#include "../base/it.h"\n#include "../code/it.h"\n' >"$tree/plugins/checks/rect.c"
printf '#include "../plugins/objects/it.h"\n#include "../plugins/checks/it.h"\n' >"$tree/pi/queue.c"
printf '#include "../plugins/objects/it.h"\n#include <ur/ur.h>\n' >"$tree/ur/queue.c"
printf '#include "../plugins/base/error.h"\n#include <specpi/specpi.h>\n' >"$tree/runtime/loader.c"
check "$tree"

while read -r directory include; do
  echo "#include $include" >"$tree/$directory/bad.c"
  if check "$tree" >"$tree/log"; then
    echo "walls.sh does not see #include $include in $directory/" >&2
    exit 1
  fi
  grep -q "^$directory/bad.c:1: " "$tree/log"
  rm "$tree/$directory/bad.c"
done <<'END'
include/pi "../../pi/it.h"
pi "../plugins/one/it.h"
pi "../runtime/it.h"
pi "../ur/it.h"
pi <ur/ur.h>
ur "../pi/it.h"
ur "../ze/it.h"
ze "../ur/it.h"
ze "../plugins/one/it.h"
ur "../plugins/one/it.h"
plugins/objects "../../ur/it.h"
plugins/objects <ur/ur.h>
plugins/base "../code/it.h"
plugins/base "../objects/it.h"
plugins/code "../objects/it.h"
plugins/code "../../pi/it.h"
plugins/code "../checks/it.h"
plugins/checks "../objects/it.h"
plugins/checks "driver_parts.h"
plugins/objects "../one/it.h"
plugins/objects "one.h"
plugins/objects "../../pi/it.h"
plugins/objects <level_zero/ze_api.h>
plugins/one "../two/it.h"
plugins/one "../../runtime/it.h"
plugins/one "../../test/it.h"
plugins/one <cuda.h>
plugins/one <specpi/specpi.h>
plugins/cuda <CL/cl.h>
sycl "../runtime/it.h"
sycl <specpi/specpi.h>
runtime <sycl/sycl.hpp>
runtime "../plugins/base/it.h"
runtime "../plugins/objects/it.h"
runtime <sycl/sycl.hpp>
compiler "../plugins/base/it.h"
compiler/codegen "../../plugins/objects/it.h"
compiler/sycl_jit "../../plugins/objects/it.h"
compiler "../runtime/it.h"
compiler <specpi/specpi.h>
tools "../runtime/it.h"
tools "../fakes/it.h"
tools <llvm-c/Core.h>
END

# ---- The tree itself
check "$1" || {
  echo 'see docs/design.md, Layout' >&2
  exit 1
}
