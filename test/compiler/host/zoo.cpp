// Every way to declare a constant, and every way to hide its name from the end of the file.
// RUN: %host --footer --unit-id=U %s -o %t.footer -- %include
// RUN: cat %s %t.footer > %t.all.cpp
// RUN: %gxx -O0 %include %t.all.cpp -o %t.g0 && %t.g0 | FileCheck %s
// RUN: %gxx -O2 %include %t.all.cpp -o %t.g2 && %t.g2 | FileCheck %s
// RUN: %clangxx -O0 %include %t.all.cpp -o %t.c0 && %t.c0 | FileCheck %s
// RUN: %clangxx -O2 %include %t.all.cpp -o %t.c2 && %t.c2 | FileCheck %s
//
// Each id is the variable's name in the symbol table, for hosts and for devices.
// RUN: %host --list --unit-id=U %s -o %t.json -- %include
// RUN: %gxx -c %include %t.all.cpp -o %t.g.o && nm %t.g.o > %t.gcc.nm
// RUN: %clangxx -c %include %t.all.cpp -o %t.c.o && nm %t.c.o > %t.clang.nm
// RUN: %clangxx --target=spir64 -D__SYCL_DEVICE_ONLY__ -S -emit-llvm %include %s -o %t.ll
// RUN: %python %S/Inputs/compare_names.py %t.json 39 %t.gcc.nm %t.clang.nm %t.ll
#include <report.hpp>

using sycl::specialization_id;

// At namespace scope.
const specialization_id<int> global_const(10);
constexpr specialization_id<int> global_constexpr(11);
static specialization_id<int> global_static(12);
inline constexpr specialization_id<int> global_inline(13);
specialization_id<int> global_external(14);
extern const specialization_id<int> global_extern;
const specialization_id<int> global_extern(15);
extern "C" {
extern const specialization_id<int> c_linkage;
const specialization_id<int> c_linkage(16);
}
static bool globals = report<global_const>() && report<global_constexpr>() &&
                      report<global_static>() && report<global_inline>() &&
                      report<global_external>() && report<global_extern>() && report<c_linkage>();

// The same name in the global namespace, in a named one, and in nested unnamed ones.
constexpr specialization_id<int> same(20);
static bool same_20 = report<same>();
namespace outer {
constexpr specialization_id<int> same(21);
static bool same_21 = report<same>();
namespace inner {
constexpr specialization_id<int> same(22);
static bool same_22 = report<same>();
} // namespace inner
namespace {
constexpr specialization_id<int> same(23);
bool same_23 = report<same>();
} // namespace
} // namespace outer
namespace {
constexpr specialization_id<int> same(24);
bool same_24 = report<same>();
namespace {
constexpr specialization_id<int> same(25);
bool same_25 = report<same>();
namespace {
constexpr specialization_id<int> same(26);
bool same_26 = report<same>();
} // namespace
} // namespace
namespace outer { // not ::outer
constexpr specialization_id<int> same(27);
bool same_27 = report<same>();
namespace {
constexpr specialization_id<int> same(28);
bool same_28 = report<same>();
namespace outer {
namespace {
constexpr specialization_id<int> same(29);
bool same_29 = report<same>();
} // namespace
} // namespace outer
} // namespace
} // namespace outer
} // namespace

// Inline namespaces.
inline namespace version {
constexpr specialization_id<int> same(30);
static bool same_30 = report<version::same>();
constexpr specialization_id<int> only(31);
static bool only_31 = report<only>();
} // namespace version
namespace library {
const specialization_id<int> same(32);
static bool same_32 = report<same>();
inline namespace first {
const specialization_id<int> same(33);
static bool same_33 = report<same>();
inline namespace {
constexpr specialization_id<int> same(34);
bool same_34 = report<same>();
namespace second {
inline namespace third {
inline constexpr specialization_id<int> same(35);
bool same_35 = report<same>();
} // namespace third
} // namespace second
} // namespace
} // namespace first
namespace other {
constexpr specialization_id<int> same(36);
static bool same_36 = report<same>();
} // namespace other
} // namespace library

// Static members, private ones too, of classes that hide each other.
struct box {
  static constexpr specialization_id<int> member{40};
  struct nested {
    static const specialization_id<int> member;
  };
};
const specialization_id<int> box::nested::member{41};
namespace {
struct box {
  static constexpr specialization_id<int> member{42};
};
bool box_42 = report<box::member>();
} // namespace
static bool box_40 = report<::box::member>() && report<::box::nested::member>();
class closed {
  static constexpr specialization_id<int> member{43};
  class inner {
  public:
    static constexpr specialization_id<int> member{44};
  };

public:
  static bool tell() {
    return report<member>() && report<inner::member>();
  }
};
static bool closed_43 = closed::tell();
namespace {
class closed {
  static constexpr specialization_id<int> member{45};

public:
  static bool tell() {
    return report<member>();
  }
};
bool closed_45 = closed::tell();
} // namespace

// Used static members of class templates, some of them used in function templates.
namespace shapes {
template <typename T, int N> struct row {
  static constexpr specialization_id<T> length{N};
  template <typename U> struct part {
    static const specialization_id<U> length;
  };
};
template <typename T, int N>
template <typename U>
const specialization_id<U> row<T, N>::part<U>::length{N + 1};
template <typename T> struct row<T *, 0> {
  static constexpr specialization_id<int> length{53};
};
} // namespace shapes
namespace {
struct mine {};
} // namespace
template <typename T> bool tell() {
  return report<T::length>();
}
template <typename T> struct teller {
  teller() : done(report<T::length>()) {}
  bool done;
};
static bool rows =
    report<shapes::row<int, 50>::length>() && tell<shapes::row<long, 51>::part<short>>() &&
    teller<shapes::row<mine *, 0>>().done &&
    [](auto row) { return report<decltype(row)::length>(); }(shapes::row<char, 54>());

// User types in unnamed namespaces, and namespaces named like SYCL's.
namespace {
struct number {
  constexpr number(int value) : from(value) {}
  constexpr explicit operator int() const {
    return from;
  }
  int from;
};
constexpr specialization_id<number> same_number(60);
bool number_60 = report<same_number>();
namespace {
constexpr specialization_id<number> same_number(61);
bool number_61 = report<same_number>();
} // namespace
} // namespace
namespace impostor {
namespace sycl {
constexpr specialization_id<int> detail(62);
static bool detail_62 = report<detail>();
} // namespace sycl
namespace {
constexpr specialization_id<int> sycl_id(63);
bool id_63 = report<sycl_id>();
namespace {
constexpr specialization_id<int> sycl_id(64);
bool id_64 = report<sycl_id>();
} // namespace
} // namespace
} // namespace impostor

int main() {
  print_reports();
}

// CHECK: {{^}}10 U____ZL12global_const{{$}}
// CHECK-NEXT: {{^}}11 U____ZL16global_constexpr{{$}}
// CHECK-NEXT: {{^}}12 U____ZL13global_static{{$}}
// CHECK-NEXT: {{^}}13 global_inline{{$}}
// CHECK-NEXT: {{^}}14 global_external{{$}}
// CHECK-NEXT: {{^}}15 global_extern{{$}}
// CHECK-NEXT: {{^}}16 c_linkage{{$}}
// CHECK-NEXT: {{^}}20 U____ZL4same{{$}}
// CHECK-NEXT: {{^}}21 U____ZN5outerL4sameE{{$}}
// CHECK-NEXT: {{^}}22 U____ZN5outer5innerL4sameE{{$}}
// CHECK-NEXT: {{^}}23 U____ZN5outer12_GLOBAL__N_14sameE{{$}}
// CHECK-NEXT: {{^}}24 U____ZN12_GLOBAL__N_14sameE{{$}}
// CHECK-NEXT: {{^}}25 U____ZN12_GLOBAL__N_112_GLOBAL__N_14sameE{{$}}
// CHECK-NEXT: {{^}}26 U____ZN12_GLOBAL__N_112_GLOBAL__N_112_GLOBAL__N_14sameE{{$}}
// CHECK-NEXT: {{^}}27 U____ZN12_GLOBAL__N_15outer4sameE{{$}}
// CHECK-NEXT: {{^}}28 U____ZN12_GLOBAL__N_15outer12_GLOBAL__N_14sameE{{$}}
// CHECK-NEXT: {{^}}29 U____ZN12_GLOBAL__N_15outer12_GLOBAL__N_15outer12_GLOBAL__N_14sameE{{$}}
// CHECK-NEXT: {{^}}30 U____ZN7versionL4sameE{{$}}
// CHECK-NEXT: {{^}}31 U____ZN7versionL4onlyE{{$}}
// CHECK-NEXT: {{^}}32 U____ZN7libraryL4sameE{{$}}
// CHECK-NEXT: {{^}}33 U____ZN7library5firstL4sameE{{$}}
// CHECK-NEXT: {{^}}34 U____ZN7library5first12_GLOBAL__N_14sameE{{$}}
// CHECK-NEXT: {{^}}35 U____ZN7library5first12_GLOBAL__N_16second5third4sameE{{$}}
// CHECK-NEXT: {{^}}36 U____ZN7library5otherL4sameE{{$}}
// CHECK-NEXT: {{^}}40 _ZN3box6memberE{{$}}
// CHECK-NEXT: {{^}}41 _ZN3box6nested6memberE{{$}}
// CHECK-NEXT: {{^}}42 U____ZN12_GLOBAL__N_13box6memberE{{$}}
// CHECK-NEXT: {{^}}43 _ZN6closed6memberE{{$}}
// CHECK-NEXT: {{^}}44 _ZN6closed5inner6memberE{{$}}
// CHECK-NEXT: {{^}}45 U____ZN12_GLOBAL__N_16closed6memberE{{$}}
// CHECK-NEXT: {{^}}50 _ZN6shapes3rowIiLi50EE6lengthE{{$}}
// CHECK-NEXT: {{^}}52 _ZN6shapes3rowIlLi51EE4partIsE6lengthE{{$}}
// CHECK-NEXT: {{^}}53 U____ZN6shapes3rowIPN12_GLOBAL__N_14mineELi0EE6lengthE{{$}}
// CHECK-NEXT: {{^}}54 _ZN6shapes3rowIcLi54EE6lengthE{{$}}
// CHECK-NEXT: {{^}}60 U____ZN12_GLOBAL__N_111same_numberE{{$}}
// CHECK-NEXT: {{^}}61 U____ZN12_GLOBAL__N_112_GLOBAL__N_111same_numberE{{$}}
// CHECK-NEXT: {{^}}62 U____ZN8impostor4syclL6detailE{{$}}
// CHECK-NEXT: {{^}}63 U____ZN8impostor12_GLOBAL__N_17sycl_idE{{$}}
// CHECK-NEXT: {{^}}64 U____ZN8impostor12_GLOBAL__N_112_GLOBAL__N_17sycl_idE{{$}}
// CHECK-NOT: {{.}}
