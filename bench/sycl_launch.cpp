// The SYCL program of bench-sycl: see sycl_launch.h.
#include "sycl_launch.h"

#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

constexpr sycl::specialization_id<int> one{0};
constexpr sycl::specialization_id<int> two{0};
constexpr sycl::specialization_id<float> three{0};
constexpr sycl::specialization_id<double> four{0};

using number = unsigned long;

} // namespace

/* Increments without atomics, because kernels run one after another in queues in order. */
struct count_by_pointer {
  number *a, *b, *c, *d;
  void operator()() const {
    ++*a;
  }
};
class CountByAccessor;
class CountByConstant;

namespace {

struct session {
  sycl::queue queue;
  number *counts = sycl::malloc_shared<number>(4, queue);
  count_by_pointer pointers{counts, counts + 1, counts + 2, counts + 3};
  sycl::buffer<number> buffers[4] = {number_buffer(), number_buffer(), number_buffer(),
                                     number_buffer()};
  sycl::detail::kernel_reference kernel;

  session() {
    for (int i = 0; i < 4; i++)
      counts[i] = 0;
    sycl::host_accessor(buffers[0], sycl::write_only)[0] = 0;
    const auto bundle = sycl::get_kernel_bundle<count_by_pointer, sycl::bundle_state::executable>(
        queue.get_context());
    const sycl::kernel found = bundle.get_kernel<count_by_pointer>();
    kernel = sycl::detail::find_kernel(found.images(), queue.get_device(), found.name(), {});
  }
  ~session() {
    sycl::free(counts, queue);
  }
  session(const session &) = delete;
  session &operator=(const session &) = delete;

private:
  static sycl::buffer<number> number_buffer() {
    return sycl::buffer<number>(sycl::range<1>(1));
  }
};
session *now; /* a pointer, so that exit after an error does not destroy it after the driver */

template <class Group> void submit(unsigned n, const Group &group) {
  try {
    for (unsigned i = 0; i < n; i++)
      now->queue.submit(group);
  } catch (const std::exception &e) {
    std::fprintf(stderr, "bench: a launch failed: %s\n", e.what());
    std::exit(1);
  }
}

} // namespace

bench_sycl_kernel bench_sycl_open() {
  try {
    now = new session;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
    std::exit(1);
  }
  return {now->queue.get_device().handle(), now->kernel.get(), &now->pointers,
          sizeof now->pointers};
}
void bench_sycl_close() {
  delete now;
}

void bench_sycl_launch_pointers(unsigned n) {
  submit(n, [](sycl::handler &cgh) { cgh.single_task(now->pointers); });
}
void bench_sycl_launch_accessors(unsigned n) {
  submit(n, [](sycl::handler &cgh) {
    sycl::accessor a{now->buffers[0], cgh};
    sycl::accessor b{now->buffers[1], cgh};
    sycl::accessor c{now->buffers[2], cgh};
    sycl::accessor d{now->buffers[3], cgh};
    cgh.single_task<CountByAccessor>([=] {
      b[0] = c[0] = d[0] = 1;
      a[0] += b[0] * c[0] * d[0];
    });
  });
}
void bench_sycl_launch_constants(unsigned n) {
  submit(n, [](sycl::handler &cgh) {
    cgh.set_specialization_constant<one>(1);
    cgh.set_specialization_constant<two>(2);
    cgh.set_specialization_constant<three>(3);
    cgh.set_specialization_constant<four>(4);
    number *const count = now->counts;
    cgh.single_task<CountByConstant>([=](sycl::kernel_handler h) {
      *count += h.get_specialization_constant<one>() + h.get_specialization_constant<two>() ==
                    static_cast<int>(h.get_specialization_constant<three>()) &&
                h.get_specialization_constant<four>() == 4.0;
    });
  });
}

void bench_sycl_wait() {
  now->queue.wait_and_throw();
}

unsigned long bench_sycl_count() {
  return now->counts[0] + sycl::host_accessor(now->buffers[0], sycl::read_only)[0];
}
