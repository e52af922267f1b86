// Host code that no device could run is ignored: only the kernels are compiled.
// RUN: %specpi-cc --unit-id=unit --emit=spirv -I %inputs %s -o %t.spv
// RUN: %spirv-dis %t.spv | %FileCheck %s
// CHECK-COUNT-2: OpEntryPoint Kernel
// CHECK-NOT: OpEntryPoint
#include "contract.hpp"
#include <any>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <complex>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <filesystem>
#include <functional>
#include <future>
#include <immintrin.h>
#include <iostream>
#include <locale>
#include <map>
#include <memory_resource>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <regex>
#include <sstream>
#include <variant>
thread_local int tl = 4;
struct NonTrivial {
  NonTrivial() {
    v = 3;
  }
  ~NonTrivial() {}
  int v;
};
thread_local NonTrivial tn;
static NonTrivial global;
inline NonTrivial inl;
int usetl() {
  return tl++ + tn.v;
}
int as(int x) {
  int r;
  asm volatile("mov %1, %0" : "=r"(r) : "r"(x) : "memory", "rax");
  return r;
}
void cpuid(unsigned *r) {
  asm volatile("cpuid" : "=a"(r[0]), "=b"(r[1]), "=c"(r[2]), "=d"(r[3]) : "a"(0));
}
__m128 sse(__m128 a, __m128 b) {
  return _mm_add_ps(a, b);
}
__attribute__((target("avx2"))) __m256i avx(__m256i a) {
  return _mm256_add_epi32(a, a);
}
__attribute__((target("avx512f"))) __m512i avx5(__m512i a) {
  return _mm512_add_epi32(a, a);
}
void pause_() {}
int va(int n, ...) {
  va_list l;
  va_start(l, n);
  int r = va_arg(l, int);
  double d = va_arg(l, double);
  va_end(l);
  return r + d;
}
struct A {
  virtual ~A() {}
  virtual int f() = 0;
};
struct B : virtual A {
  int f() override {
    return 2;
  }
};
struct C : virtual A {
  int f() override {
    return 3;
  }
};
struct D : B, C {
  int f() override {
    return 4;
  }
};
int vc(A *a) {
  return a->f() + (dynamic_cast<B *>(a) ? 1 : 0) + typeid(*a).hash_code();
}
long double ld(long double x) {
  return std::sin(x) * 2;
}
__int128 i128(__int128 x) {
  return x * 3 / 7;
}
__float128 f128(__float128 x) {
  return x * 3;
}
std::jmp_buf jb;
int sj() {
  if (setjmp(jb))
    return 1;
  std::longjmp(jb, 1);
}
void vla(int n) {
  int a[n];
  a[0] = n;
  std::cout << a[0];
}
auto computed(int i) {
  static void *t[] = {&&a, &&b};
  goto *t[i];
a:
  return 1;
b:
  return 2;
}
std::atomic<long> counter;
__attribute__((constructor)) void ctor() {
  counter++;
}
__attribute__((weak)) void weak_();
__attribute__((visibility("hidden"))) int hid;
extern "C" int printf(const char *, ...);
int ifn() {
  return __builtin_cpu_supports("avx2");
}
struct K {
  int *p;
  void operator()() const {
    p[global_id(0)] = 1;
  }
};
template <class T> void tmpl(T t) {
  auto l = [=](auto x) { run<class G>([=] { *t = x; }); };
  l(3);
}
int main(int argc, char **argv) {
  std::regex r("a.*b");
  std::smatch m;
  std::string s("acb");
  if (std::regex_match(s, m, r))
    std::cout << m[0];
  std::mt19937 gen(4);
  std::normal_distribution<> d;
  std::cout << d(gen);
  for (auto &e : std::filesystem::directory_iterator("."))
    std::cout << e.path();
  auto fu = std::async(std::launch::async, [] { return 3; });
  std::cout << fu.get();
  std::map<std::string, std::function<int(int)>> fs{{"a", [](int x) { return x; }}};
  std::any an = 3;
  std::variant<int, std::string> v = "x";
  std::visit([](auto &x) { std::cout << x; }, v);
  std::mutex mu;
  std::condition_variable cv;
  {
    std::unique_lock<std::mutex> l(mu);
    cv.wait_for(l, std::chrono::milliseconds(1));
  }
  std::complex<double> c(1, 2);
  std::cout << std::exp(c) << std::sqrt(c);
  try {
    std::rethrow_exception(std::make_exception_ptr(3));
  } catch (int) {
  } catch (...) {
    throw;
  }
  std::ostringstream o;
  o << std::fixed << 1.5L;
  std::cout << o.str() << std::stold("1.5");
  printf("%s %Lf", "x", 3.0L);
  D dd;
  vc(&dd);
  int x[4];
  run<K>(K{x});
  tmpl(x);
  char buf[10];
  std::to_chars(buf, buf + 10, 5);
  return usetl() + argc;
}
