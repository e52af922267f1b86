// A unit whose host code and device code include different files. Macros add mistakes.
#include "both sides.hpp"

#ifdef __SYCL_DEVICE_ONLY__
#include "device.hpp"
#include <contract.hpp>

struct doubler {
  int *data;
  void operator()() const {
    data[global_id(0)] *= FACTOR;
#ifdef DEVICE_MISTAKE
    throw 1;
#endif
  }
};
void host(int *data) {
  run<doubler>(doubler{data});
}
#else
#include "host.hpp"

extern "C" int host_function(int x) {
  return x + ADDEND;
}
#endif

#ifdef LATEST
static_assert(__cplusplus > 201703L);
#else
static_assert(__cplusplus == 201703L);
#endif
#ifdef MISTAKE
int mistaken = "a text";
#endif
#if defined HOST_MISTAKE && defined __clang__ == defined FOR_CLANG
int other = "of one compiler only";
#endif
#ifdef DEVICE_ERROR
#ifdef __SYCL_DEVICE_ONLY__
#error for devices only
#endif
#endif
