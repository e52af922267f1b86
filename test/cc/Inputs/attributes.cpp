// Attributes of kernels that are not allowed.
#include "contract.hpp"
class Name;
[[sycl::reqd_work_group_size(2)]] void two() {}
struct declared {
#ifdef DECLARED
  [[sycl::reqd_work_group_size(1)]]
#endif
  void
  operator()() const;
};
void host([[maybe_unused]] int argument) {
#ifdef SIZES
  run<Name>([=]() [[sycl::reqd_work_group_size(SIZES)]] {});
#elif defined BOTH
  run<Name>([]() [[sycl::reqd_work_group_size(1)]] { two(); });
#elif defined SUB_GROUP
  run<Name>([]() [[sycl::reqd_sub_group_size(8)]] {});
#else
  run<Name>([] {});
#endif
}
#ifdef CLASS
struct [[sycl::work_group_size_hint(1)]] no_function{};
#endif
