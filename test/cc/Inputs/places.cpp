// With its macro defined, each kernel has code that a device cannot run.
#include "contract.hpp"
#include <array>

#ifdef RECURSION
__attribute__((noinline)) int again(int x) {
  return x > 0 ? x + again(x - 1) : 0;
}
#elif defined HIDDEN
namespace {
SYCL_EXTERNAL int hidden() {
  return 1;
}
} // namespace
#else
inline int read(const std::array<int, 3> &numbers, int at) {
  // The error is in a line of the C++ library.
  return numbers.at(at);
}
#endif
struct Own {
  int *data;
  void operator()() const {
    throw data[0];
  }
};
struct Library {
  int *data;
  void operator()() const {
#ifdef RECURSION
    data[0] = again(data[1]);
#elif defined LIBRARY
    data[0] = read({1, 2, 3}, data[1]);
#endif
  }
};
void host(int *data) {
#ifdef OWN
  run<Own>(Own{data});
#elif defined HIDDEN
  data[0] = hidden();
#endif
  run<Library>(Library{data});
}
