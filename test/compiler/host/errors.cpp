// Variables that cannot have an id, and files that are not valid C++.
#include <sycl/sycl.hpp>

#if defined(SYNTAX)
// RUN: not %host --list %s -- %include -DSYNTAX 2>&1 | FileCheck --check-prefix=SYNTAX %s
// SYNTAX: error: {{.*}}errors.cpp:[[@LINE+1]]:{{[0-9]+}}: expected
int broken(;
int also broken;

#elif defined(LOCAL)
// RUN: not %host --footer %s -- %include -DLOCAL 2>&1 | FileCheck --check-prefix=LOCAL %s
// LOCAL: errors.cpp:[[@LINE+2]]: 'inside' is local to a function
int function() {
  static sycl::specialization_id<int> inside(1);
  return inside.value;
}

#elif defined(MADE_LOCAL)
// RUN: not %host --list %s -- %include -DMADE_LOCAL 2>&1 | FileCheck --check-prefix=TEMPLATE %s
// TEMPLATE: errors.cpp:[[@LINE+2]]: 'inside' is local to a function
template <typename T> T function() {
  static sycl::specialization_id<T> inside(1);
  return inside.value;
}
int use = function<int>();

#elif defined(THREAD)
// RUN: not %host --footer %s -- %include -DTHREAD 2>&1 | FileCheck --check-prefix=THREAD %s
// THREAD: errors.cpp:[[@LINE+1]]: 'each' is thread_local
thread_local sycl::specialization_id<int> each(1);

#elif defined(VARIABLES)
// RUN: not %host --list %s -- %include -DVARIABLES 2>&1 | FileCheck --check-prefix=VARIABLE %s
// VARIABLE: errors.cpp:[[@LINE+1]]: 'many' is made of a variable template
template <typename T> sycl::specialization_id<T> many asm("same")(1);
const void *use = &many<int>;

#elif defined(CLASSES)
// RUN: not %host --footer %s -- %include -DCLASSES 2>&1 | FileCheck --check-prefix=CLASSES %s
// CLASSES: errors.cpp:[[@LINE+2]]: 'box::member'{{.*}} reference to 'box' is ambiguous
struct box {
  static constexpr sycl::specialization_id<int> member{1};
};
inline namespace version {
struct box {};
} // namespace version

#elif defined(LAMBDA)
// RUN: not %host --footer %s -- %include -DLAMBDA 2>&1 | FileCheck --check-prefix=LAMBDA %s
// LAMBDA: errors.cpp:[[@LINE+3]]: {{.*}} cannot be named at the end of the file
auto nameless = [] {};
template <typename T> struct holder {
  static constexpr sycl::specialization_id<int> id{1};
};
const void *use = &holder<decltype(nameless)>::id;

#elif defined(MACRO)
// RUN: not %host --footer %s -- %include -DMACRO 2>&1 | FileCheck --check-prefix=MACRO %s
// MACRO: errors.cpp:[[@LINE+1]]: 'name' cannot be named at the end of the file
constexpr sycl::specialization_id<int> name(1);
#define name 5

#elif defined(LABEL)
// RUN: not %host --list %s -- %include -DLABEL 2>&1 | FileCheck --check-prefix=LABEL %s
// LABEL: errors.cpp:[[@LINE+1]]: 'labelled' has a name in object files that cannot be an id
sycl::specialization_id<int> labelled asm("a=b")(1);

#elif defined(MARK)
// RUN: not %host --list %s -- %include -DMARK 2>&1 | FileCheck --check-prefix=MARK %s
// MARK: errors.cpp:[[@LINE+1]]: the class is marked with no kind of ids
struct __attribute__((annotate("sycl-uid-kind="))) marked {
} variable;

#elif defined(PROBE)
// RUN: %host --list %s -- %include -DPROBE | FileCheck --check-prefix=KIND %s
// KIND: "id": "probed"
// KIND: "kind": "probe"
// RUN: not %host --footer %s -- %include -DPROBE 2>&1 | FileCheck --check-prefix=PROBE %s
// PROBE: errors.cpp:[[@LINE+3]]: 'probed' needs the function
// __register_uniquely_identifiable_object
struct __attribute__((annotate("other"), annotate("sycl-uid-kind=probe"))) probe {
} probed;

#elif defined(UNUSED)
// RUN: %host --footer %s -- %include -DUNUSED 2>&1 | FileCheck --check-prefix=UNUSED %s
// UNUSED: warning: {{.*}}:[[@LINE+6]]: 'member' is a member of a {{.*}}[-Wunused-template-id]
// UNUSED-NOT: warning
// RUN: %host --footer %s -- %include -DUNUSED -Wno-unused-template-id 2>&1 | not grep warning
// RUN: %host --footer %s -- %include -DUNUSED -Wunused-template-id -w 2>&1 | not grep warning
// RUN: %host --footer %s -- %include -DUNUSED -w -Wunused-template-id 2>&1 | grep warning
template <typename T> struct holder {
  static constexpr sycl::specialization_id<T> member{1};
  static constexpr sycl::specialization_id<T> used{1};
};
const void *use = &holder<int>::used;

#elif defined(OTHER)
// Classes of this name in other namespaces have no ids, nor do parameters, members and references.
// RUN: %host --list %s -- %include -DOTHER | FileCheck --check-prefix=OTHER %s
// OTHER: "variables": []
namespace mine {
template <typename T> struct specialization_id {};
namespace sycl {
template <typename T> struct specialization_id {};
specialization_id<int> second;
} // namespace sycl
specialization_id<int> first;
} // namespace mine
struct member {
  sycl::specialization_id<int> *pointer;
};
void function(const sycl::specialization_id<int> &parameter);
extern sycl::specialization_id<int> &reference;

#endif

// RUN: not %host --footer %S/Inputs/no_function.cpp 2>&1 | FileCheck --check-prefix=FUNCTION %s
// FUNCTION: no_function.cpp:6: 'constant' {{.*}} sycl::detail::get_spec_constant_symbolic_ID_impl

// RUN: not %host --list %s 2>&1 | FileCheck --check-prefix=INCLUDE %s
// INCLUDE: errors.cpp:2:10: 'sycl/sycl.hpp' file not found
// RUN: not %host --list %s -- %include -std=c++14 2>&1 | FileCheck --check-prefix=OLD %s
// OLD: sycl.hpp:{{[0-9:]+}} 'auto' not allowed in template parameter until C++17
// RUN: not %host --list %t.absent -- %include 2>&1 | FileCheck --check-prefix=ABSENT %s
// ABSENT: errors.cpp.tmp.absent cannot be read: No such file or directory (HOST_ERROR_FILE)
// RUN: not %host --list %S/Inputs 2>&1 | FileCheck --check-prefix=DIRECTORY %s
// DIRECTORY: Inputs cannot be read: Is a directory (HOST_ERROR_FILE)
// RUN: not %host --list %s -- %include %S/zoo.cpp 2>&1 | FileCheck --check-prefix=TWO %s
// TWO: error: libclang cannot read {{.*}}errors.cpp with these arguments
// RUN: not %host --list %s -- %include --no-such-option 2>&1 | FileCheck --check-prefix=OPTION %s
// OPTION: error: libclang cannot read {{.*}}errors.cpp: unsupported option '--no-such-option'
// RUN: not %host --list '--unit-id=a b' %s 2>&1 | FileCheck --check-prefix=UNIT %s
// RUN: not %host --list --unit-id= %s 2>&1 | FileCheck --check-prefix=UNIT %s
// RUN: not %host --list '--unit-id="' %s 2>&1 | FileCheck --check-prefix=UNIT %s
// UNIT: is not 1 to 64 letters, digits, '_', '-' and '.' (HOST_ERROR_INVALID_ARGUMENT)
// RUN: not %host --list 2>&1 | FileCheck --check-prefix=USAGE %s
// RUN: not %host %s 2>&1 | FileCheck --check-prefix=USAGE %s
// RUN: not %host --list %s %s 2>&1 | FileCheck --check-prefix=USAGE %s
// USAGE: usage: specpi-host

// A file without constants, or an empty one, gets a footer with a comment about that.
// RUN: echo "int x;" > %t.none
// RUN: %host --footer %t.none | FileCheck --check-prefix=NONE %s
// RUN: cat /dev/null > %t.empty
// RUN: %host --footer %t.empty | FileCheck --check-prefix=NONE %s
// NONE: // It has none.
// NONE-NOT: #include
// RUN: %python -c "import sys; sys.stdout.buffer.write(bytes(range(256)) * 64)" > %t.garbage
// RUN: not %host --list %t.garbage 2>&1 | FileCheck --check-prefix=GARBAGE %s
// GARBAGE: error: {{.*}}(HOST_ERROR_INVALID_SOURCE)
// libclang limits the depth of expressions, and copes with long ones.
// RUN: %python -c "print('int x = ' + '(' * 100000 + '1' + ')' * 100000 + ';')" > %t.deep
// RUN: not %host --list %t.deep 2>&1 | FileCheck --check-prefix=DEEP %s
// DEEP: error: {{.*}}bracket nesting level
// RUN: %python -c "print('int x = 1' + '+1' * 20000 + ';')" > %t.long
// RUN: %host --list %t.long | FileCheck --check-prefix=LONG %s
// LONG: "variables": []
