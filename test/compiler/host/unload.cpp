// An unloaded library unregisters its variables, whether the footer registered them, with GCC or
// clang, or the pass.
// REQUIRES: run
// RUN: %host --file --unit-id=L %s -o %t.library.cpp -- %sycl -DLIBRARY
// RUN: %gxx %sycl -DLIBRARY -shared -fPIC %t.library.cpp -o %t.g.so %link
// RUN: %clangxx %sycl -DLIBRARY -shared -fPIC %t.library.cpp -o %t.c.so %link
// RUN: %clangxx %sycl -DLIBRARY -DPASS -fPIC -emit-llvm -c %s -o %t.bc
// RUN: %specpi-cc --host-pass %t.bc -o %t.registered.bc
// RUN: %clangxx -shared -fPIC %t.registered.bc -o %t.p.so %link
// RUN: %gxx %sycl %s -o %t.exe %link
// RUN: %t.exe %t.g.so %t.c.so %t.p.so | FileCheck %s
#include <sycl/device_global.hpp>

#if defined(PASS)
#define ID(id)                                                                                     \
  __attribute__((annotate("sycl-unique-id=" id), annotate("sycl-uid-kind=device_global")))
#else
#define ID(id)
#endif

#if defined(LIBRARY)
ID("external") sycl::device_global<int> external;
namespace {
ID("L____ZN12_GLOBAL__N_16hiddenE") sycl::device_global<int> hidden;
}
extern "C" const void *place(int which) {
  return which == 0 ? &external : &hidden;
}
// Destructors of the library still find the variables, because it unregisters them last.
struct last {
  last() = default;
  last(const last &) = delete;
  ~last();
  const char *id = specpiIdentifiableGetId(&external, nullptr);
} at_the_end;
extern "C" int puts(const char *);
last::~last() {
  const char *now = specpiIdentifiableGetId(&hidden, "device_global");
  puts(id != nullptr && now != nullptr ? now : "nothing");
}
#else
#include <cstdio>
#include <dlfcn.h>

int main(int count, char **libraries) {
  for (int round = 0; round < 2; round++)
    for (int i = 1; i < count; i++) {
      void *library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) {
        std::puts(dlerror());
        return 1;
      }
      const auto place = reinterpret_cast<const void *(*)(int)>(dlsym(library, "place"));
      const void *external = place(0);
      const void *hidden = place(1);
      std::printf("%d: %s, %s\n", i, specpiIdentifiableGetId(external, nullptr),
                  specpiIdentifiableGetAddress("external", nullptr) == external ? "found" : "lost");
      std::fflush(stdout);
      dlclose(library);
      const char *then = specpiIdentifiableGetId(hidden, nullptr);
      std::printf("%s, %zu left\n", then ? then : "gone",
                  specpiIdentifiablesGet(nullptr, 0, nullptr));
    }
}
#endif
// CHECK: {{^}}1: external, found{{$}}
// CHECK-NEXT: {{^}}L____ZN12_GLOBAL__N_16hiddenE{{$}}
// CHECK-NEXT: {{^}}gone, 0 left{{$}}
// CHECK-NEXT: {{^}}2: external, found{{$}}
// CHECK-NEXT: {{^}}L____ZN12_GLOBAL__N_16hiddenE{{$}}
// CHECK-NEXT: {{^}}gone, 0 left{{$}}
// CHECK-NEXT: {{^}}3: external, found{{$}}
// CHECK-NEXT: {{^}}L____ZN12_GLOBAL__N_16hiddenE{{$}}
// CHECK-NEXT: {{^}}gone, 0 left{{$}}
// CHECK-NEXT: {{^}}1: external, found{{$}}
// CHECK: {{^}}3: external, found{{$}}
// CHECK-NEXT: {{^}}L____ZN12_GLOBAL__N_16hiddenE{{$}}
// CHECK-NEXT: {{^}}gone, 0 left{{$}}
