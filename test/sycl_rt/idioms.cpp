// Idioms of SYCL 2020 programs, and captures of kernels, for a runtime's own compiler and headers.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

static int failures = 0;
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      failures++;                                                                                  \
      std::printf("line %d: %s\n", __LINE__, #condition);                                          \
    }                                                                                              \
  } while (0)

constexpr sycl::specialization_id<int> tile(4);
inline constexpr sycl::specialization_id<float> scale(0.5F);

SYCL_EXTERNAL int elsewhere(int x, sycl::kernel_handler k); // other.cpp
void launch_elsewhere(sycl::queue &q, int *to);

// other.cpp has a class and a function of these names, too.
namespace {
class Internal;
} // namespace
static void launch(sycl::queue &q, int *to) {
  q.single_task([=] { to[0] = 1; }).wait();
  q.single_task<Internal>([=] { to[1] = 2; }).wait();
}

class AtNamespaceScope;
struct Functor {
  int *to;
  int step;
  void operator()(sycl::item<1> i) const {
    to[i] += step;
  }
};

template <class T> static T twice(sycl::queue &q, T value) {
  T *p = sycl::malloc_shared<T>(1, q);
  q.single_task([=] { *p = value + value; }).wait();
  const T result = *p;
  sycl::free(p, q);
  return result;
}

enum { COUNT = 1000 };

static void reductions(sycl::queue &q, int *a) {
  std::iota(a, a + COUNT, 0);
  int *sum = sycl::malloc_shared<int>(2, q);
  sum[0] = 0;
  q.parallel_for(sycl::range<1>(COUNT), sycl::reduction(sum, sycl::plus<>()),
                 [=](sycl::id<1> i, auto &all) { all += a[i]; })
      .wait();
  CHECK(sum[0] == COUNT * (COUNT - 1) / 2);
  sycl::buffer<int> largest(1);
  q.submit([&](sycl::handler &h) {
    const auto all = sycl::reduction(largest, h, sycl::maximum<>(),
                                     sycl::property::reduction::initialize_to_identity{});
    h.parallel_for(sycl::nd_range<1>(COUNT, 50), all,
                   [=](sycl::nd_item<1> i, auto &most) { most.combine(a[i.get_global_id(0)]); });
  });
  CHECK(sycl::host_accessor(largest)[0] == COUNT - 1);
  sycl::free(sum, q);
}

static void groups(sycl::queue &q) {
  enum { GROUPS = 8, SIZE = 32 };
  int *seen = sycl::malloc_shared<int>(4, q);
  std::fill(seen, seen + 4, 0);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> local(SIZE, h);
     h.parallel_for(sycl::nd_range<1>(GROUPS * SIZE, SIZE), [=](sycl::nd_item<1> i) {
       const auto group = i.get_group();
       const auto sub_group = i.get_sub_group();
       const int at = static_cast<int>(i.get_local_id(0));
       local[at] = at;
       sycl::group_barrier(group);
       const int mirrored = local[SIZE - 1 - at];
       const int sum = sycl::reduce_over_group(group, mirrored, sycl::plus<>());
       const int before = sycl::exclusive_scan_over_group(group, 1, sycl::plus<>());
       const int next = sycl::shift_group_left(sub_group, at, 1);
       const bool is_last = sub_group.get_local_id()[0] + 1 == sub_group.get_local_range()[0];
       using atomic =
           sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>;
       if (group.leader())
         atomic(seen[0]) += sum;
       atomic(seen[1]) += before == at;
       atomic(seen[2]) += is_last || next == at + 1;
     });
   }).wait();
  CHECK(seen[0] == GROUPS * SIZE * (SIZE - 1) / 2);
  CHECK(seen[1] == GROUPS * SIZE);
  CHECK(seen[2] == GROUPS * SIZE);
  sycl::free(seen, q);
}

static void numbers(sycl::queue &q) {
  float *f = sycl::malloc_shared<float>(8, q);
  f[7] = 4;
  q.single_task([=] {
     namespace experimental = sycl::ext::oneapi::experimental;
     experimental::prefetch(f + 6, experimental::properties{experimental::prefetch_hint_L1});
     const sycl::half h = 1.5F;
     const sycl::ext::oneapi::bfloat16 b = 2.5F;
     const sycl::float4 v(1, 2, 3, 4);
     f[0] = static_cast<float>(h) + static_cast<float>(b);
     f[1] = sycl::dot(v, v);
     f[2] = sycl::sqrt(16.F) + sycl::pow(2.F, 3.F);
     f[3] = std::sin(1.F);
     f[4] = static_cast<float>(sycl::popcount(7U));
     f[5] = sycl::bit_cast<float>(0x3f800000);
     f[6] = 10 / f[7];
   }).wait();
  CHECK(f[0] == 4);
  CHECK(f[1] == 30);
  CHECK(f[2] == 12);
  CHECK(std::fabs(f[3] - std::sin(1.F)) < 1e-6F);
  CHECK(f[4] == 3);
  CHECK(f[5] == 1);
  CHECK(std::fabs(f[6] - 2.5F) < 1e-6F);
  sycl::free(f, q);
}

static void buffers(sycl::queue &q) {
  std::vector<int> data(COUNT, 1);
  {
    sycl::buffer<int> b(data);
    q.submit([&](sycl::handler &h) {
      sycl::accessor all{b, h, sycl::read_write};
      h.parallel_for<class Named>(b.get_range(),
                                  [=](sycl::id<1> i) { all[i] += static_cast<int>(i); });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor all{b, h, sycl::read_write};
      h.parallel_for<AtNamespaceScope>(sycl::range<1>(COUNT), [=](auto i) { all[i] *= 2; });
    });
  }
  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += data[static_cast<std::size_t>(i)] != 2 * (i + 1);
  CHECK(wrong == 0);
}

// For each of these lambdas the captures of GCC and clang, or their order, differ.
static void captures(sycl::queue &q, int *p) {
  const int w = 3;
  const float z = 0.5F;
  int X = 7; // a name that a macro could have for a parameter
  const auto outer = [=](int y) { return y + w + X; };
  const auto generic = [=](auto y) { return y + X; };
  q.single_task([=] { p[0] = w + X; });
  q.single_task([=] {
    const auto inner = [=](int y) { return y + w + X; };
    p[1] = inner(1);
  });
  q.single_task([=] { p[2] = outer(1); });
  q.single_task([=] { p[3] = generic(1); });
  q.parallel_for(sycl::range<1>(1), [=](sycl::id<1> i) { p[4 + i] = outer(2) + generic(3); });
  q.single_task([=, w = w] { p[5] = static_cast<int>(z * 4) + w + X; });
  for (int i = 0; i < 2; i++)
    q.single_task([=] { p[6 + i] = i + X; });
  q.parallel_for(sycl::range<1>(COUNT), Functor{p + 8, X});
  q.wait();
  const int expected[] = {10, 11, 11, 8, 22, 12, 7, 8, 7};
  for (int i = 0; i < 9; i++) {
    CHECK(p[i] == expected[i]);
  }
}

static void constants(sycl::queue &q, int *p) {
  const auto submit = [&](int set) {
    q.submit([&](sycl::handler &h) {
       if (set)
         h.set_specialization_constant<tile>(set);
       h.single_task([=](sycl::kernel_handler k) {
         int local[64] = {};
         const int size = k.get_specialization_constant<tile>();
         for (int i = 0; i < size; i++)
           local[i] = i;
         p[0] = local[size - 1];
         p[1] = elsewhere(10, k);
       });
     }).wait();
  };
  submit(0);
  CHECK(p[0] == 3);
  CHECK(p[1] == 15);
  submit(9);
  CHECK(p[0] == 8);
  auto input = sycl::get_kernel_bundle<sycl::bundle_state::input>(q.get_context());
  input.set_specialization_constant<tile>(20);
  CHECK(input.get_specialization_constant<tile>() == 20);
  auto built = sycl::build(input);
  q.submit([&](sycl::handler &h) {
     h.use_kernel_bundle(built);
     h.single_task<class InBundle>(
         [=](sycl::kernel_handler k) { p[2] = k.get_specialization_constant<tile>(); });
   }).wait();
  CHECK(p[2] == 20);
  CHECK(sycl::has_kernel_bundle<sycl::bundle_state::executable>(
      q.get_context(), {sycl::get_kernel_id<class InBundle>()}));
}

/* GCC captures w and x in another order than clang. */
static void hierarchies(sycl::queue &q, int *a) {
  enum { GROUPS = 3, SIZE = 4 };
  const int w = 3;
  int x = 7;
  sycl::buffer<int> b(GROUPS * SIZE);
  q.submit([&](sycl::handler &h) {
     sycl::accessor out(b, h, sycl::write_only);
     sycl::local_accessor<int> local(SIZE, h);
     h.parallel_for_work_group(sycl::range<1>(GROUPS), sycl::range<1>(SIZE), [=](sycl::group<1> g) {
       const auto f = [=](auto y) { return y + w + x; };
       const int base = f(static_cast<int>(g.get_group_id(0)) * 100);
       g.parallel_for_work_item([&](sycl::h_item<1> i) {
         local[i.get_local_id(0)] = static_cast<int>(i.get_local_id(0));
       });
       g.parallel_for_work_item([&](sycl::h_item<1> i) {
         out[i.get_global_id(0)] = base + local[SIZE - 1 - i.get_local_id(0)];
       });
     });
   }).wait();
  const sycl::host_accessor found(b);
  for (int i = 0; i < GROUPS * SIZE; i++)
    CHECK(found[i] == i / SIZE * 100 + 10 + SIZE - 1 - i % SIZE);
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group<class InHierarchy>(sycl::range<1>(1),
                                                  [=](sycl::group<1>) { *a = x * w; });
   }).wait();
  CHECK(*a == 21);
}

// Kernels' names that stdio and SYCL have for functions, templates and namespaces.
namespace detail {
class inner;
template <class T> struct vec;
} // namespace detail
template <class T, int N> class buffer;
static void names(sycl::queue &q, int *a) {
  q.single_task<class remove>([=] { a[0] = 1; }).wait();
  q.single_task<detail::inner>([=] { a[1] = 2; }).wait();
  q.single_task<detail::vec<class queue>>([=] { a[2] = 3; }).wait();
  q.single_task<::buffer<const detail::inner *, 3>>([=] { a[3] = 4; }).wait();
  q.single_task<class kernel>([=] { a[4] = 5; }).wait();
  CHECK(a[0] == 1 && a[1] == 2 && a[2] == 3 && a[3] == 4 && a[4] == 5);
}

// The runtime's compiler makes it of a text.
static void reversals(sycl::queue &q, int *a) {
  a[0] = 0x12345678;
  q.single_task([=] {
     (void)a;
#ifdef __SYCL_DEVICE_ONLY__
     a[0] = static_cast<int>(__builtin_bitreverse32(static_cast<unsigned>(a[0])));
#endif
   }).wait();
  CHECK(a[0] == 0x1e6a2c48);
}

int main() {
  sycl::queue q{sycl::property::queue::in_order{}};
  int *a = sycl::malloc_shared<int>(2 * COUNT, q);
  std::fill(a, a + 2 * COUNT, 0);
  captures(q, a);
  hierarchies(q, a);
  reductions(q, a);
  groups(q);
  numbers(q);
  buffers(q);
  constants(q, a);
  CHECK(twice(q, 4) == 8);
  CHECK(twice(q, 1.5F) == 3);
  CHECK(twice<unsigned long long>(q, 1ULL << 40) == 1ULL << 41);
  names(q, a);
  reversals(q, a);
  launch(q, a);
  launch_elsewhere(q, a + 2);
  CHECK(a[0] == 1 && a[1] == 2 && a[2] == 42 && a[3] == 43);
  q.fill(a, 9, COUNT).wait();
  CHECK(a[COUNT - 1] == 9);
  int host = 0;
  q.submit([&](sycl::handler &h) { h.host_task([&] { host = 5; }); }).wait();
  CHECK(host == 5);
  q.submit([&](sycl::handler &h) {
     sycl::stream out(256, 64, h);
     h.single_task([=] { out << "a stream's words" << sycl::endl; });
   }).wait();
  sycl::free(a, q);
  std::printf("%d failures\n", failures);
  return failures != 0;
}
