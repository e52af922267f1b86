"""constants.py PROGRAM [IMAGES]: runs sycl_constants with the libsycl and the dpctl of this environment."""

import glob
import importlib.util
import os
import sys

libraries = glob.glob(os.path.join(sys.prefix, "lib", "libsycl.so.?"))
if len(libraries) != 1:
    sys.exit(f"{sys.prefix}: {len(libraries)} libraries libsycl.so.N, not one")
libsycl = libraries[0]
version = "3" if libsycl.endswith(".9") else "2"
# specpi run has already loaded a copy of PI's libsycl, which dlopen finds by the file's name alone.
if libsycl.endswith(".7"):
    libsycl = os.path.basename(libsycl)
package = importlib.util.find_spec("dpctl").submodule_search_locations[0]
dpctl = os.path.join(package, "libDPCTLSyclInterface.so")
os.execv(sys.argv[1], [sys.argv[1], libsycl, dpctl, version, *sys.argv[2:]])
