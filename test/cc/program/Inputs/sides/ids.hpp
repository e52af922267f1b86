// Constants that several units name.
#include <sycl/specialization_id.hpp>
#include <sycl/usm.hpp>

// clang gives the variable an unnamed type if its value is shorter than its object.
struct row {
  float all[32];
};
union either {
  char c;
  double d;
};

extern const sycl::specialization_id<int> far;
inline constexpr sycl::specialization_id<long> everywhere(70000);
template <int N> inline constexpr sycl::specialization_id<int> numbered{N};
template <class T> struct box {
  static constexpr sycl::specialization_id<T> member{T(5)};
};

double part(sycl::queue &queue);
