#include "opencl.h"

#include "report.h"

#include <dlfcn.h>
#include <string.h>

opencl_driver opencl;

void bench_load_opencl(void) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    bench_die("libOpenCL.so.1 could not be loaded: %s", dlerror());
#define LOAD(name)                                                                                 \
  {                                                                                                \
    void *address = dlsym(library, "cl" #name);                                                    \
    if (!address)                                                                                  \
      bench_die("libOpenCL.so.1 has no cl%s", #name);                                              \
    memcpy(&opencl.name, &address, sizeof address);                                                \
  }
  OPENCL_REQUIRED(LOAD)
#undef LOAD
}
