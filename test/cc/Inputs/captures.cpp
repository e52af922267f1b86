// Kernels with captures that a device cannot use, or that GCC does not describe.
#include <sycl/sycl.hpp>

struct small {
  int x;
};
struct object {
  int m = 1;
  void run(sycl::queue &q, int *p) {
#ifdef THIS
    q.single_task([=] { p[0] = m; });
#endif
    static_cast<void>(q);
    static_cast<void>(p);
  }
};
template <class... A> void pack(sycl::queue &q, int *p, A... several) {
#ifdef PACK
  q.single_task<class packed>([=] { p[0] = int((several + ... + 0)); });
#endif
  static_cast<void>(q);
  static_cast<void>(p);
}

int main() {
  sycl::queue q;
  int *p = sycl::malloc_shared<int>(1, q);
  int a = 1;
  object().run(q, p);
  pack(q, p, 1, 2.5);
#ifdef REFERENCE
  q.submit([&](sycl::handler &h) { h.single_task<class named>([p, &a] { p[0] = a; }); });
#endif
#ifdef INSIDE
  const auto f = [&a] { return a; };
  q.single_task([=] { p[0] = f(); });
#endif
#ifdef HOLDER
  const auto f = [a] { return a; };
  const std::pair<decltype(f), int> holder(f, 1);
  q.single_task([=] { p[0] = holder.first(); });
#endif
#ifdef COPY
  constexpr small constant{4};
  q.single_task([=] {
    const auto copy = constant;
    p[0] = copy.x;
  });
#endif
#ifdef LAMBDA
  q.submit([&](sycl::handler &h) {
    const int constant = 4;
    const auto f = [=](int x) {
      static_cast<void>(constant);
      return x;
    };
    h.single_task<class named>([=] { p[0] = f(1); });
  });
#endif
  static_cast<void>(a);
  sycl::free(p, q);
}
