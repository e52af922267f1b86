// Each kernel has a constant or a name that is not allowed.
#include "contract.hpp"
#include <sycl/spec_id.hpp>

int seven() {
  return 7;
}
struct fields {
  long a : 20, b : 44;
  long c : 40;
};
struct node {
  node *next;
};
template <class T> struct holder {
  static inline const sycl::specialization_id<T> value{T(seven())};
};
const sycl::specialization_id<int> computed(seven());
sycl::spec_id<int> older(seven());
sycl::specialization_id<int> zero;
constexpr sycl::specialization_id<fields> narrow(fields{1, 2, 3});
constexpr sycl::specialization_id<node> pointer(node{nullptr});
constexpr sycl::specialization_id<long double> wide(2.0L);
int copy = seven(); // computed at run time, too, and not a constant
class Name;
class Count;

struct First {
  int *data;
  void operator()() const {
#ifdef COMPUTED
    data[0] = get<computed>();
#elif defined OLDER
    data[0] = get<older>();
#elif defined MEMBER
    data[0] = get<holder<int>::value>();
#elif defined FIELDS
    data[0] = int(get<narrow>().a);
#elif defined POINTER
    data[0] = get<pointer>().next != nullptr;
#elif defined WIDE
    data[0] = int(get<wide>());
#elif defined REQUIRED
    data[0] = int(get_required<fields, Count>().a);
#elif defined NAMELESS
    const sycl::specialization_id<int> *p =
        reinterpret_cast<const sycl::specialization_id<int> *>(data);
    data[0] = __sycl_getScalar2020SpecConstantValue<int>("", p, nullptr);
#else
    data[0] = get<zero>();
#endif
  }
};
struct Second {
  int *data;
  void operator()() const {
    data[0] = 2;
  }
};
void host(int *data) {
  run<Name>(First{data});
#ifdef TWICE
  run<Name>(Second{data});
#endif
}
#ifdef LOCAL
SYCL_EXTERNAL void exported(int *data) {
  data[0] = *__specpi_local_memory();
}
#endif
