// Kernels without function objects, from arguments.cl: their arguments, and queries about them.
// SYCL 2020, 4.9.4.2.4 and 4.11.13.
#include "check.hpp"

#include <climits>
#include <numeric>

class Arguments;
class Values;
class Required;
class None;
class OfFunctionObject;
class OfTask;
class OfRange;
class OfOffset;
class OfGroups;

namespace {

using sycl::errc;
namespace info = sycl::info;

template <class Name> sycl::kernel kernel_of(const sycl::queue &q) {
  sycl::program p(q.get_context());
  p.build_with_kernel_type<Name>();
  return p.get_kernel<Name>();
}
#define DEVICES_ONLY                                                                               \
  if (check::host())                                                                               \
  SKIP("the host device runs function objects only")

constexpr std::size_t count = 8;

/* Runs the kernel Arguments with groups of 4; set passes it its arguments. */
template <class Set> std::vector<int> run(const sycl::kernel &k, const Set &set) {
  sycl::queue q(k.get_context());
  std::vector<int> out(count, -1);
  std::vector<int> in(count);
  std::iota(in.begin(), in.end(), 1);
  {
    sycl::buffer<int> to(out.data(), sycl::range<1>(count));
    sycl::buffer<int> from(in.data(), sycl::range<1>(count));
    q.submit([&](sycl::handler &cgh) {
      const sycl::accessor a{to, cgh, sycl::write_only};
      const sycl::accessor b{from, cgh, sycl::read_only};
      set(cgh, a, b, sycl::local_accessor<int>(4, cgh));
      cgh.parallel_for(sycl::nd_range<1>(count, 4), k);
    });
    q.wait_and_throw();
  }
  return out;
}
const std::vector<int> wanted = {22, 19, 16, 13, 34, 31, 28, 25}; /* 3 * x + 10 */

/* Checks that the command throws this exception. */
template <class Exception, class Set>
void refuses(errc code, const char *text, const sycl::kernel &k, const Set &set) {
  CHECK_THROWS(Exception, code, text, run(k, set));
}

} // namespace

CASE("arguments: accessors, values and local memory, one by one or all at once") {
  DEVICES_ONLY;
  const sycl::kernel k = kernel_of<Arguments>(check::queue());
  CHECK(run(k, [](auto &cgh, auto to, auto from, auto local) {
          cgh.set_args(to, 3, from, local, 10L);
        }) == wanted);
  CHECK(run(k, [](auto &cgh, auto to, auto from, auto local) {
          cgh.set_arg(4, 99L);
          cgh.set_arg(3, local);
          cgh.set_arg(0, from);
          cgh.set_arg(1, 3);
          cgh.set_arg(2, from);
          cgh.set_arg(0, to); /* the last one counts */
          cgh.set_arg(4, 10L);
        }) == wanted);
}

CASE("arguments: pointers to unified shared memory, and none") {
  DEVICES_ONLY;
  sycl::queue q = check::queue();
  const sycl::kernel k = kernel_of<Arguments>(q);
  int *const out = sycl::malloc_shared<int>(count, q);
  int *const in = sycl::malloc_shared<int>(count, q);
  std::iota(in, in + count, 1);
  q.submit([&](sycl::handler &cgh) {
     cgh.set_args(out, 3, static_cast<const int *>(in), sycl::local_accessor<int>(4, cgh), 10L);
     cgh.parallel_for(sycl::nd_range<1>(count, 4), k);
   }).wait_and_throw();
  CHECK(std::vector<int>(out, out + count) == wanted);
  sycl::free(out, q);
  sycl::free(in, q);
  q.submit([&](sycl::handler &cgh) { cgh.single_task(kernel_of<None>(q)); });
  q.wait_and_throw();
}

CASE("arguments: structures and vectors by value, and ranges with an offset") {
  DEVICES_ONLY;
  const sycl::kernel k = kernel_of<Values>(check::queue());
  sycl::queue q(k.get_context());
  struct mixed {
    char kind;
    double number;
  };
  std::vector<double> out(4, -1);
  {
    sycl::buffer<double> to(out.data(), sycl::range<1>(4));
    q.submit([&](sycl::handler &cgh) {
      cgh.set_args(sycl::accessor{to, cgh}, mixed{100, 0.5}, sycl::float4(2, 0, 0, 3));
      cgh.parallel_for(sycl::range<1>(3), sycl::id<1>(1000), k);
    });
  }
  CHECK(out == (std::vector<double>{1106.5, 1106.5, 1106.5, -1}));
  {
    sycl::buffer<double> to(out.data(), sycl::range<1>(4));
    sycl::buffer<double> part(to, sycl::id<1>(2), sycl::range<1>(2));
    q.submit([&](sycl::handler &cgh) {
      cgh.set_args(sycl::accessor{part, cgh}, mixed{0, 7}, sycl::float4(0));
      cgh.parallel_for(sycl::range<1>(2), k);
    });
    q.submit([&](sycl::handler &cgh) {
      cgh.set_args(sycl::accessor{to, cgh}, mixed{0, 8}, sycl::float4(0));
      cgh.single_task(k);
    });
  }
  CHECK(out == (std::vector<double>{8, 1106.5, 7, 7}));
}

CASE("arguments: a wrong index, too few and too many are errors") {
  DEVICES_ONLY;
  const sycl::kernel k = kernel_of<Arguments>(check::queue());
  using error = sycl::invalid_parameter_error;
  refuses<error>(errc::kernel_argument, "cannot be -1", k,
                 [](auto &cgh, auto, auto, auto) { cgh.set_arg(-1, 1); });
  refuses<error>(errc::kernel_argument, "argument 0 of the 5 of kernel _ZTS9Arguments is not set",
                 k, [](auto &, auto, auto, auto) {});
  refuses<error>(
      errc::kernel_argument, "argument 4 of the 5", k,
      [](auto &cgh, auto to, auto from, auto local) { cgh.set_args(to, 3, from, local); });
  refuses<error>(errc::kernel_argument, "argument 2147483647 is set, and kernel", k,
                 [](auto &cgh, auto to, auto from, auto local) {
                   cgh.set_args(to, 3, from, local, 10L);
                   cgh.set_arg(INT_MAX, 0);
                 });
  refuses<error>(
      errc::kernel_argument, "argument 5 is set, and kernel _ZTS9Arguments has 5", k,
      [](auto &cgh, auto to, auto from, auto local) { cgh.set_args(to, 3, from, local, 10L, 11); });
  refuses<error>(errc::kernel_argument, "argument 3 is a local accessor without elements", k,
                 [](auto &cgh, auto to, auto from, auto) {
                   cgh.set_args(to, 3, from, sycl::local_accessor<int>(), 10L);
                 });
  CHECK_THROWS(error, errc::kernel_argument, "argument 0 of the 5",
               sycl::queue(k.get_context()).submit([&](auto &cgh) { cgh.single_task(k); }));
}

CASE("arguments: a value of another size, and an accessor of no requirement, are errors") {
  DEVICES_ONLY;
  const sycl::kernel k = kernel_of<Arguments>(check::queue());
  refuses<sycl::runtime_error>(
      errc::runtime, "setting argument 1 of kernel \"_ZTS9Arguments\"", k,
      [](auto &cgh, auto to, auto from, auto local) { cgh.set_args(to, 3L, from, local, 10L); });
  refuses<sycl::runtime_error>(errc::runtime, "setting argument 4 of kernel \"_ZTS9Arguments\"", k,
                               [](auto &cgh, auto to, auto from, auto local) {
                                 cgh.set_args(to, 3, from, local, static_cast<short>(1));
                               });
  sycl::buffer<int> other{sycl::range<1>(count)};
  const sycl::accessor unrequired{other, sycl::read_only};
  refuses<sycl::runtime_error>(
      errc::kernel_argument, "does not require", k,
      [&](auto &cgh, auto to, auto, auto local) { cgh.set_args(to, 3, unrequired, local, 10L); });
  refuses<sycl::memory_allocation_error>(
      errc::memory_allocation, "local accessors", k, [](auto &cgh, auto to, auto from, auto) {
        cgh.set_args(to, 3, from, sycl::local_accessor<int>(std::size_t{1} << 40, cgh), 10L);
      });
}

CASE("arguments: a kernel with or without a function object, where the other is wanted") {
  sycl::queue q = check::queue();
  if (check::host()) {
    const sycl::kernel k = kernel_of<Arguments>(q);
    sycl::queue mine(k.get_context());
    CHECK_THROWS(sycl::invalid_object_error, errc::invalid, "has no function object",
                 mine.submit([&](sycl::handler &cgh) { cgh.single_task(k); }));
    CHECK_THROWS(sycl::invalid_object_error, errc::invalid, "has no code",
                 k.get_info<info::kernel::num_args>());
    return;
  }
  const sycl::kernel k = kernel_of<Arguments>(q);
  sycl::queue mine(k.get_context());
  CHECK_THROWS(
      sycl::invalid_parameter_error, errc::kernel_argument,
      "has 5 arguments, so it is not of a function object",
      mine.submit([&](sycl::handler &cgh) { cgh.single_task<OfFunctionObject>(k, [] {}); }));
  CHECK_THROWS(sycl::invalid_object_error, errc::invalid, "of another context than the queue",
               check::queue().submit([&](sycl::handler &cgh) { cgh.single_task(k); }));
}

CASE("a kernel object runs in place of its function object, in each form of command") {
  sycl::queue q = check::queue();
  std::vector<int> out(count, 0);
  {
    sycl::buffer<int> to(out.data(), sycl::range<1>(count));
    const auto submit = [&](const auto &give) {
      q.submit([&](sycl::handler &cgh) { give(cgh, sycl::accessor{to, cgh}); });
    };
    submit([&](sycl::handler &cgh, auto a) {
      cgh.single_task<OfTask>(kernel_of<OfTask>(q), [=] { a[0] += 1; });
    });
    submit([&](sycl::handler &cgh, auto a) {
      cgh.parallel_for<OfRange>(kernel_of<OfRange>(q), sycl::range<1>(2),
                                [=](sycl::id<1> i) { a[i] += 10; });
    });
    submit([&](sycl::handler &cgh, auto a) {
      cgh.parallel_for<OfOffset>(kernel_of<OfOffset>(q), sycl::range<1>(2), sycl::id<1>(2),
                                 [=](sycl::item<1> i) { a[i] += static_cast<int>(i[0]) * 100; });
    });
    submit([&](sycl::handler &cgh, auto a) {
      cgh.parallel_for<OfGroups>(kernel_of<OfGroups>(q), sycl::nd_range<1>(count, 4),
                                 [=](sycl::nd_item<1> i) {
                                   a[i.get_global_id()] += static_cast<int>(i.get_group(0)) * 1000;
                                 });
    });
  }
  CHECK(out == (std::vector<int>{11, 10, 200, 300, 1000, 1000, 1000, 1000}));
}

/* ---- Queries of kernels ---- */

CASE("get_info: a kernel's name, arguments and context") {
  DEVICES_ONLY;
  const sycl::kernel k = kernel_of<Arguments>(check::queue());
  CHECK(k.get_info<info::kernel::function_name>() == "_ZTS9Arguments");
  CHECK(k.get_info<info::kernel::num_args>() == 5);
  CHECK(k.get_info<info::kernel::context>() == k.get_context());
  CHECK(k.get_backend() == check::device().get_backend() && !k.is_host());
  CHECK(kernel_of<None>(check::queue()).get_info<info::kernel::num_args>() == 0);
  CHECK(kernel_of<Required>(check::queue()).get_info<info::kernel::num_args>() == 1);
}

CASE("get_work_group_info: what a kernel needs and can have on a device") {
  DEVICES_ONLY;
  const sycl::device d = check::device();
  const sycl::kernel k = kernel_of<Arguments>(check::queue());
  const sycl::kernel required = kernel_of<Required>(check::queue());
  namespace query = info::kernel_device_specific;
  const std::size_t most = k.get_info<query::work_group_size>(d);
  CHECK(most >= 4 && most <= d.get_info<info::device::max_work_group_size>());
  CHECK(k.get_work_group_info<info::kernel_work_group::work_group_size>(d) == most);
  CHECK(k.get_info<query::compile_work_group_size>(d) == sycl::range<3>(0, 0, 0));
  CHECK(required.get_info<query::compile_work_group_size>(d) == sycl::range<3>(1, 2, 4));
  CHECK(k.get_work_group_info<query::preferred_work_group_size_multiple>(d) >= 1);
  CHECK(required.get_info<query::local_mem_size>(d) >=
        k.get_info<query::local_mem_size>(d) + 8 * sizeof(int));
  CHECK(k.get_info<query::private_mem_size>(d) < (1U << 20));
  CHECK_THROWS(sycl::invalid_object_error, errc::invalid, "has no code for host device",
               k.get_info<query::work_group_size>(sycl::device(sycl::host_selector())));
}

CASE("get_info: a required size of work-groups is the only one") {
  DEVICES_ONLY;
  const sycl::kernel k = kernel_of<Required>(check::queue());
  sycl::queue q(k.get_context());
  std::vector<int> sums(2, 0);
  const auto launch = [&](sycl::buffer<int> &to, const auto &size) {
    q.submit([&](sycl::handler &cgh) {
      cgh.set_args(sycl::accessor{to, cgh});
      cgh.parallel_for(size, k);
    });
  };
  {
    sycl::buffer<int> to(sums.data(), sycl::range<1>(2));
    launch(to, sycl::nd_range<3>({1, 2, 8}, {1, 2, 4}));
    launch(to, sycl::range<3>(1, 2, 8));
    CHECK_THROWS(sycl::nd_range_error, errc::nd_range,
                 "requires the local size {1, 2, 4}, and {1, 2, 2} was given",
                 launch(to, sycl::nd_range<3>({1, 2, 8}, {1, 2, 2})));
  }
  CHECK(sums == (std::vector<int>{56, 56}));
}
