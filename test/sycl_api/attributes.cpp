// Attributes of kernels that require a size of work-groups.
#include "check.hpp"

namespace {

constexpr std::size_t rows = 2;

/* Returns an item's local size as a number of three digits. */
int digits(const sycl::nd_item<3> &at) {
  return static_cast<int>(at.get_local_range(0) * 100 + at.get_local_range(1) * 10 +
                          at.get_local_range(2));
}

struct object {
  sycl::accessor<int, 1> sizes;
  [[sycl::reqd_work_group_size(1, 2, 4), sycl::work_group_size_hint(1, 2, 4)]] //
  [[sycl::device_has(sycl::aspect::online_compiler)]] void
  operator()(sycl::nd_item<3> at) const {
    sizes[at.get_global_linear_id()] = digits(at);
  }
};
class Object;

bool all_are(sycl::buffer<int> &sizes, int wanted) {
  const sycl::host_accessor a{sizes, sycl::read_only};
  for (const int size : a)
    if (size != wanted)
      return false;
  return true;
}

void give_object(sycl::buffer<int> &sizes, const sycl::range<3> &local) {
  check::queue()
      .submit([&](sycl::handler &cgh) {
        const object f{{sizes, cgh}};
        cgh.parallel_for<Object>(sycl::nd_range<3>({4, 4, 4}, local), f);
      })
      .wait_and_throw();
}

/* Launches a lambda whose required size has a constant, an expression and a template parameter. */
template <std::size_t Columns> void give_lambda(sycl::buffer<int> &sizes, sycl::range<2> local) {
  check::queue()
      .submit([&](sycl::handler &cgh) {
        sycl::accessor a{sizes, cgh};
        cgh.parallel_for(
            sycl::nd_range<2>({8, 8}, local),
            [=](sycl::nd_item<2> at)[[sycl::reqd_work_group_size(rows * (true ? 1 : 2), Columns)]] {
              a[at.get_global_linear_id()] =
                  static_cast<int>(at.get_local_range(0) * 10 + at.get_local_range(1));
            });
      })
      .wait_and_throw();
}

} // namespace

CASE("a function object has the size that its attribute requires") {
  sycl::buffer<int> sizes(sycl::range<1>(64));
  give_object(sizes, {1, 2, 4});
  CHECK(all_are(sizes, 124));
}

CASE("a launch of another size is refused, and says both") {
  if (check::host())
    SKIP("the host device has function objects without attributes");
  sycl::buffer<int> sizes(sycl::range<1>(64));
  CHECK_THROWS(sycl::nd_range_error, sycl::errc::nd_range,
               "requires the local size {1, 2, 4}, and {4, 2, 1} was given",
               give_object(sizes, {4, 2, 1}));
  CHECK_THROWS(sycl::nd_range_error, sycl::errc::nd_range,
               "requires the local size {1, 2, 2}, and {2, 4} was given",
               give_lambda<2>(sizes, {2, 4}));
}

CASE("a lambda has it, from expressions and parameters of templates") {
  sycl::buffer<int> sizes(sycl::range<1>(64));
  give_lambda<4>(sizes, {2, 4});
  CHECK(all_are(sizes, 24));
  give_lambda<2>(sizes, {2, 2});
  CHECK(all_are(sizes, 22));
}

CASE("a range without groups gets the size") {
  sycl::buffer<int> sizes(sycl::range<1>(64));
  check::queue()
      .submit([&](sycl::handler &cgh) {
        sycl::accessor a{sizes, cgh};
        cgh.parallel_for(sycl::range<1>(64),
                         [=](sycl::id<1> at) [[sycl::reqd_work_group_size(16)]] {
                           a[at] = static_cast<int>(at[0]);
                         });
      })
      .wait_and_throw();
  const sycl::host_accessor a{sizes, sycl::read_only};
  CHECK(a[63] == 63);
}

CASE("compile_work_group_size is in SYCL's order") {
  if (check::host())
    SKIP("the host device has no kernels");
  const sycl::queue q = check::queue();
  const auto bundle =
      sycl::get_kernel_bundle<Object, sycl::bundle_state::executable>(q.get_context());
  const sycl::kernel k = bundle.get_kernel(sycl::get_kernel_id<Object>());
  CHECK(k.get_info<sycl::info::kernel_device_specific::compile_work_group_size>(q.get_device()) ==
        sycl::range<3>(1, 2, 4));
}

CHECK_MAIN
