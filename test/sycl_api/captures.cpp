// Captures of lambdas that are kernels. GCC and the device compiler differ in capturing constants.
#include "check.hpp"

#include <algorithm>
#include <array>

namespace {

constexpr sycl::specialization_id<int> mul(2);

template <int N> struct fixed {
  static constexpr int value = N;
};
struct pair {
  char first;
  double second;
};
template <class T, auto &V> struct tagged {
  T value;
};
class incomplete;
template <class T> struct marked {
  int value;
};
class {
public:
  int a = 3;
  char b = 4;
} nameless;

/* Returns the number that a kernel writes; give launches the kernel. */
template <class Give> double result(const Give &give) {
  sycl::queue q = check::queue();
  auto *p = sycl::malloc_shared<double>(1, q);
  *p = 0;
  q.submit([&](sycl::handler &cgh) { give(cgh, p); });
  q.wait_and_throw();
  const double found = *p;
  sycl::free(p, q);
  return found;
}

struct member {
  char before = 1;
  double m = 2.5;
  double of_object() const {
    const int W = 13;
    return result([&](sycl::handler &cgh, double *p) {
      cgh.single_task([=, *this](sycl::kernel_handler) { p[0] = W + m + before; });
    });
  }
};

template <class T> double in_template(T a) {
  const T W = 13;
  return result([&](sycl::handler &cgh, double *p) {
    cgh.single_task([=](sycl::kernel_handler h) {
      p[0] = double((W + a) * h.get_specialization_constant<mul>());
    });
  });
}

} // namespace

CASE("a constant of the enclosing function is a value in a kernel") {
  const int W = 13;
  int a = 100;
  CHECK(result([&](sycl::handler &cgh, double *p) {
          cgh.single_task([=](sycl::kernel_handler h) {
            p[0] = (W + a) * h.get_specialization_constant<mul>();
          });
        }) == 226);
}

CASE("constants are bounds, arguments of templates and conditions") {
  constexpr int W = 5;
  const unsigned char V = 3;
  constexpr double C = 1.5;
  [[maybe_unused]] constexpr int T[3] = {1, 20, 300};
  int a = 100;
  char z = 7;
  CHECK(result([&](sycl::handler &cgh, double *p) {
          cgh.single_task([=] {
            int sum = a;
            for (int i = 0; i < W; i++)
              sum += z;
            int array[V] = {1, 2, 3};
            if constexpr (W == 5)
              sum += array[V - 1] + fixed<W>::value;
            p[0] = sum + C * V + T[1] + T[z % 3];
          });
        }) == 100 + 35 + 3 + 5 + 4.5 + 20 + 20);
}

CASE("constants are used in lambdas inside, and captured by initialisers in any order") {
  const int W = 13;
  const int V = 2;
  int a = 100;
  double X = 0.5; /* a name that a macro could have for a parameter */
  CHECK(result([&](sycl::handler &cgh, double *p) {
          const short local = 4;
          cgh.single_task([=, c = X * 2, W = W, d = 'x'](sycl::kernel_handler) {
            const auto inner = [=](int x) { return [&](auto y) { return a * V + x + y; }(local); };
            p[0] = inner(W) + c + d + std::max(W, V) + X;
          });
        }) == 200 + 13 + 4 + 1 + 'x' + 13 + 0.5);
}

CASE("a lambda that a kernel captures has what it captured itself") {
  const int W = 13;
  const double V = 0.25;
  int a = 100;
  [&] {
    const auto f = [=](int x) { return W + a + x; };
    const auto g = [=](int x) { return f(x) * V; };
    const auto none = [](int x) { return x; };
    CHECK(result([&](sycl::handler &cgh, double *p) {
            cgh.single_task([=] { p[0] = none(1) + f(2) + g(3) + W; });
          }) == 1 + 115 + 116 * 0.25 + 13);
  }();
}

CASE("classes that are captured are copied as they are") {
  const int W = 13;
  const pair both = {3, 0.5};
  std::array<short, 3> three = {1, 2, 3};
  const auto other = nameless;
  const tagged<int, mul> tag = {5};
  const marked<incomplete> mark = {6};
  CHECK(result([&](sycl::handler &cgh, double *p) {
          cgh.single_task([=, copy = nameless] {
            p[0] =
                W + both.first + both.second + three[2] + other.a + copy.b + tag.value + mark.value;
          });
        }) == 13 + 3.5 + 3 + 3 + 4 + 5 + 6);
  CHECK(member().of_object() == 13 + 2.5 + 1);
}

CASE("kernels in templates have constants of the template's types") {
  CHECK(in_template(100) == 226 && in_template(short(1)) == 28 &&
        in_template(1L << 40) == 2 * (13 + double(1L << 40)));
}

CASE("accessors are found among constants") {
  const int W = 13;
  int a = 100;
  std::vector<int> data(4, 1);
  {
    sycl::queue q = check::queue();
    sycl::buffer b(data);
    q.submit([&](sycl::handler &cgh) {
      const sycl::accessor values{b, cgh, sycl::read_write};
      const char V = 2;
      cgh.parallel_for(b.get_range(), [=](sycl::id<1> i) { values[i] += W * V + a; });
    });
  }
  CHECK(data == std::vector<int>(4, 127));
}

CASE("a queue's own single_task has a constant of its function") {
  sycl::queue q = check::queue();
  auto *p = sycl::malloc_shared<int>(1, q);
  const int W = 13;
  const int V = 4;
  int a = 100;
  for (int i = 0; i < 3; i++) {
    q.single_task([=] { p[0] = std::max(W, a) + [=] { return W + V; }(); });
    q.wait_and_throw();
    CHECK(*p == 117);
  }
  sycl::free(p, q);
}

CHECK_MAIN
