// Static members of class templates with every kind of argument, and names that need special care.
// RUN: %host --footer --unit-id=U %s -o %t.footer -- %include
// RUN: cat %s %t.footer > %t.all.cpp
// RUN: %gxx %include %t.all.cpp -o %t.g && %t.g | FileCheck %s
// RUN: %clangxx %include %t.all.cpp -o %t.c && %t.c | FileCheck %s
//
// The footer starts on a line of its own even if the file ends with a backslash.
// RUN: %python -c "import sys; sys.stdout.write(open(sys.argv[1]).read() + '//\\\\')" %s > %t.end
// RUN: %host --footer --unit-id=U %t.end -o %t.end.footer -- %include
// RUN: cat %t.end %t.end.footer > %t.end.cpp
// RUN: %clangxx -Wno-comment %include %t.end.cpp -o %t.e && %t.e | FileCheck %s
#include <report.hpp>

#include <array>

enum class color { red, green };
enum shape { circle, square };
int global;
template <int Size> struct bytes {
  char all[Size];
};
template <typename T, auto V> struct row {
  static constexpr sycl::specialization_id<int> id{static_cast<int>(sizeof(T))};
};
template <typename T> struct outer {
  template <int N> struct middle {
    struct inner {
      static constexpr sycl::specialization_id<int> id{N};
    };
  };
};
static bool rows = report<row<std::array<bytes<2>, 5>, color::green>::id>() &&
                   report<row<bytes<11>, square>::id>() && report<row<bytes<12>, '\\'>::id>() &&
                   report<row<bytes<13>, true>::id>() && report<row<bytes<14>, &global>::id>() &&
                   report<row<bytes<15>, -5>::id>() && report<outer<int>::middle<16>::inner::id>();

// Private arguments, private members of templates, protected members.
class secretive {
  struct size_20 {
    char all[20];
  };

public:
  static bool tell() {
    return report<row<size_20, 0>::id>();
  }
};
template <typename T> class closed {
  static constexpr sycl::specialization_id<T> id{21};

public:
  static bool tell() {
    return report<id>();
  }
};
class guarded {
public:
  static bool tell() {
    return report<id>();
  }

protected:
  static constexpr sycl::specialization_id<int> id{22};
};
static bool hidden = secretive::tell() && closed<int>::tell() && guarded::tell();

// Aliases, using directives, unions, letters beyond ASCII.
namespace target {
inline namespace version {
constexpr sycl::specialization_id<int> id(30);
}
struct own {};
} // namespace target
namespace alias = target;
using namespace alias;
namespace {
union either {
  static constexpr sycl::specialization_id<int> id{31};
  int number;
};
} // namespace
constexpr sycl::specialization_id<int> größe(32);
static bool others = report<alias::id>() && report<either::id>() && report<größe>();

// Variable templates in namespaces and classes, with arguments from a function template.
template <typename T, auto V> constexpr sycl::specialization_id<int> variable{sizeof(T)};
namespace {
template <int N> sycl::specialization_id<int> inside{N};
} // namespace
namespace target {
template <typename T, color C> inline constexpr sycl::specialization_id<int> in_target{42};
}
struct open {
  template <typename T> struct inner {
    template <T N> static constexpr sycl::specialization_id<int> id{N};
  };
};
class secret {
  template <int N> static constexpr sycl::specialization_id<int> id{N};

public:
  static bool tell() {
    return report<id<44>>();
  }
};
template <int N> bool tell() {
  return report<inside<N>>();
}
static bool templates = report<variable<bytes<40>, '>'>>() && tell<41>() &&
                        report<target::in_target<std::array<alias::own, 2>, color::green>>() &&
                        report<open::inner<long>::id<43>>() && secret::tell();

int main() {
  print_reports();
}

// CHECK: {{^}}10 _ZN3rowISt5arrayI5bytesILi2EELm5EEL5color1EE2idE{{$}}
// CHECK-NEXT: {{^}}11 _ZN3rowI5bytesILi11EEL5shape1EE2idE{{$}}
// CHECK-NEXT: {{^}}12 _ZN3rowI5bytesILi12EELc92EE2idE{{$}}
// CHECK-NEXT: {{^}}13 _ZN3rowI5bytesILi13EELb1EE2idE{{$}}
// CHECK-NEXT: {{^}}14 _ZN3rowI5bytesILi14EEXadL_Z6globalEEE2idE{{$}}
// CHECK-NEXT: {{^}}15 _ZN3rowI5bytesILi15EELin5EE2idE{{$}}
// CHECK-NEXT: {{^}}16 _ZN5outerIiE6middleILi16EE5inner2idE{{$}}
// CHECK-NEXT: {{^}}20 _ZN3rowIN9secretive7size_20ELi0EE2idE{{$}}
// CHECK-NEXT: {{^}}21 _ZN6closedIiE2idE{{$}}
// CHECK-NEXT: {{^}}22 _ZN7guarded2idE{{$}}
// CHECK-NEXT: {{^}}30 U____ZN6target7versionL2idE{{$}}
// CHECK-NEXT: {{^}}31 U____ZN12_GLOBAL__N_16either2idE{{$}}
// CHECK-NEXT: {{^}}32 U____ZL7größe{{$}}
// CHECK-NEXT: {{^}}40 _Z8variableI5bytesILi40EELc62EE{{$}}
// CHECK-NEXT: {{^}}41 U____ZN12_GLOBAL__N_16insideILi41EEE{{$}}
// CHECK-NEXT: {{^}}42 _ZN6target9in_targetISt5arrayINS_3ownELm2EEL5color1EEE{{$}}
// CHECK-NEXT: {{^}}43 _ZN4open5innerIlE2idILl43EEE{{$}}
// CHECK-NEXT: {{^}}44 _ZN6secret2idILi44EEE{{$}}
