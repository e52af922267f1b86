// A constant that is, or has, a pointer to a function.
#include "contract.hpp"

using function = int (*)(int);
struct callback {
  function called;
  int data;
};
int twice(int x) {
  return 2 * x;
}
constexpr sycl::specialization_id<function> bare(twice);
constexpr sycl::specialization_id<callback> member(callback{nullptr, 1});
class Name;

struct Kernel {
  int *data;
  void operator()() const {
#ifdef MEMBER
    data[0] = get<member>().data;
#else
    data[0] = get<bare>() != nullptr;
#endif
  }
};
void host(int *data) {
  run<Name>(Kernel{data});
}
