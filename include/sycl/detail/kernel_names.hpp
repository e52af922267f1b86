/*
 * Kernels that are named by a lambda, or by a class in one, on hosts that number lambdas otherwise
 * than the device compiler.
 *
 * The Itanium C++ ABI counts lambdas of a context that have the same parameters; GCC before 13
 * counts all lambdas of a context. Both count in the source's order, so of kernels that differ in
 * nothing but such numbers the first one of the host is the first one of the image, and so on. That
 * needs all of the host's: each registers before main. clang gives lambdas in functions that are
 * not inline no such numbers at all, but $_0, unless it is told that it compiles for SYCL's host.
 */
#ifndef SYCL_DETAIL_KERNEL_NAMES_HPP
#define SYCL_DETAIL_KERNEL_NAMES_HPP

#include <sycl/detail/mangled.hpp>
#include <sycl/detail/unit.hpp>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

namespace sycl::detail {

/* A mangled name without the numbers of lambdas, and these, as the ABI writes them: E_, E0_, E1_.
 */
struct lambda_numbers {
  std::string rest;
  std::vector<long> numbers;

  explicit lambda_numbers(const std::string &name) {
    for (std::size_t at = 0; at < name.size(); at++) {
      rest += name[at];
      if (name[at] != 'E')
        continue;
      std::size_t end = at + 1;
      long number = -1;
      while (end < name.size() && is_digit(name[end]) && number < 100000)
        number = (number < 0 ? 0 : number * 10) + (name[end++] - '0');
      if (end < name.size() && name[end] == '_') {
        numbers.push_back(number);
        at = end - 1;
      }
    }
  }
};

/* The names of a unit's kernels as the host's compiler has them. */
class host_kernel_names {
public:
  static host_kernel_names &all() {
    static host_kernel_names names;
    return names;
  }
  void add(const char *unit, const std::string &name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    names_.push_back({unit, name});
  }
  /* In no order; some may be there twice. */
  std::vector<std::string> of(const char *unit) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::string> names;
    for (const one &it : names_)
      if (it.unit == unit)
        names.push_back(it.name);
    return names;
  }

private:
  struct one {
    std::string unit;
    std::string name;
  };
  std::mutex mutex_;
  std::vector<one> names_;
};

/* Those of a list that differ from a name in numbers only, by these numbers, each once. */
inline std::vector<std::string> like(const lambda_numbers &name,
                                     const std::vector<std::string> &names) {
  std::vector<std::pair<std::vector<long>, std::string>> found;
  for (const std::string &other : names) {
    lambda_numbers parts(other);
    if (parts.rest == name.rest)
      found.emplace_back(std::move(parts.numbers), other);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> sorted;
  sorted.reserve(found.size());
  for (auto &one : found)
    if (sorted.empty() || sorted.back() != one.second)
      sorted.push_back(std::move(one.second));
  return sorted;
}

/*
 * The name in the unit's images of a kernel whose name the host's compiler made. Without images, as
 * on a machine with a host device only, it is the same. Where host and images have different
 * numbers of such kernels, nobody can say which is which: the name then is one that no image has,
 * and says what to do.
 */
inline std::string image_kernel_name(const char *unit, const std::string &name) {
  if (name.find("$_") != name.npos)
    return name + " (clang numbers lambdas as images do with -Xclang -fsycl-is-host)";
  const lambda_numbers parts(name);
  if (parts.numbers.empty())
    return name;
  std::vector<std::string> in_images;
  for (specpi_image image : registered_images())
    if (unit_of(image) == unit)
      for (const char *kernel : list<const char *>(specpiImageGetKernels, image))
        in_images.emplace_back(kernel);
  const std::vector<std::string> theirs = like(parts, in_images);
  const std::vector<std::string> ours = like(parts, host_kernel_names::all().of(unit));
  if (theirs.empty())
    return name;
  const auto at = std::find(ours.begin(), ours.end(), name) - ours.begin();
  if (ours.size() == theirs.size())
    return theirs[static_cast<std::size_t>(at)];
  return name + " (the host has " + std::to_string(ours.size()) +
         " kernels of such names and the " + "image " + std::to_string(theirs.size()) +
         ": name them by classes that are declared at namespace scope)";
}

} // namespace sycl::detail

#endif
