/*
 * Kernels that are named by a lambda, or by a class in one, on hosts that number lambdas otherwise
 * than the device compiler.
 *
 * The Itanium C++ ABI counts lambdas of a context that have the same parameters; GCC before 13
 * counts all lambdas of a context. Both count in the source's order, so of kernels that differ in
 * nothing but such numbers the first one of the host is the first one of the image, and so on. That
 * needs all of the host's: each registers before other constructors run. clang gives lambdas in
 * functions that are not inline no such numbers at all, but $_0, unless it is told that it compiles
 * for SYCL's host.
 */
#ifndef SYCL_DETAIL_KERNEL_NAMES_HPP
#define SYCL_DETAIL_KERNEL_NAMES_HPP

#include <sycl/detail/mangled.hpp>
#include <sycl/detail/unit.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace sycl::detail {

/* A mangled name without the numbers of lambdas, and these, as the ABI writes them: E_, E0_, E1_.
 */
struct lambda_numbers {
  std::string rest;
  std::vector<long> numbers;

  explicit lambda_numbers(const std::string &name);
};

/*
 * A mangled name without those of the variables of namespaces and classes whose initialisers have
 * its lambdas: GCC writes 1vMUlvE_ in most, clang UlvE_ in others. Numbers of substitutions are
 * then others, too.
 */
std::string without_variables(std::string name);

inline std::string as_it_is(std::string name) {
  return name;
}

/*
 * The names of kernels as the host's compiler has them are host variables with ids of this kind:
 * "UNIT___NAME". That registry is one for the process, and forgets what is unloaded.
 */
inline constexpr const char *kernel_name_kind = "sycl kernel";

void register_kernel(const char *unit, const std::string &name, void *place);
/* Calls f with the unit and the name of each. */
template <class F> void for_each_host_kernel(const F &f) {
  std::vector<specpi_identifiable> all;
  std::size_t count = 0;
  do {
    all.resize(count);
    count = specpiIdentifiablesGet(kernel_name_kind, all.size(), all.data());
  } while (count > all.size()); /* a library came in between */
  all.resize(count);
  for (const specpi_identifiable &one : all) {
    const std::string_view id = one.id;
    const std::size_t at = id.find("____ZTS");
    f(std::string(id.substr(0, at)), std::string(id.substr(at + 3)));
  }
}

/* How a name is written where it does not matter by which compiler. */
using name_form = std::string (*)(std::string);

/* A kernel's name in images. It is not certain as long as no image has such a kernel. */
struct image_kernel {
  std::string name;
  bool is_certain;
};

/* The names of the kernels in a unit's images, and those that its host code has: sorted, each once.
 */
struct unit_kernels {
  std::vector<std::string> theirs;
  std::vector<std::string> ours;

  /* One that is not registered yet, because a constructor launches it, is the host's, too. */
  unit_kernels(const std::string &unit, const std::string &one);
  /* Leaves those that only one side has. */
  void drop_common();
};

/*
 * The same in the images of any unit. A kernel of a header may be launched from the code of a
 * program whose constructors, which register its images, have not run yet; a library whose
 * constructors run before them has the kernel, too.
 */
image_kernel find_image_kernel(const std::string &unit, const std::string &name);

} // namespace sycl::detail

#endif
