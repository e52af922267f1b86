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

/*
 * A mangled name without those of the variables of namespaces and classes whose initialisers have
 * its lambdas: GCC writes 1vMUlvE_ in most, clang UlvE_ in others. Numbers of substitutions are
 * then others, too.
 */
inline std::string without_variables(std::string name) {
  for (std::size_t at = name.find("MUl"); at != name.npos; at = name.find("MUl", at)) {
    std::size_t begin = at;
    for (std::size_t size = at; size > 0; size--) {
      const std::string digits = std::to_string(size);
      if (size + digits.size() > at ||
          name.compare(at - size - digits.size(), digits.size(), digits))
        continue;
      begin = at - size - digits.size();
      break;
    }
    begin -= begin < at && begin > 0 && name[begin - 1] == 'L' ? 1 : 0;
    name.erase(begin, at + 1 - begin);
    at = begin;
  }
  for (std::size_t at = name.find('S'); at != name.npos; at = name.find('S', at + 1)) {
    const std::size_t end = name.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", at + 1);
    if (end != name.npos && name[end] == '_')
      name.erase(at + 1, end - at - 1);
  }
  /* One that is a variable's own was nested in it. */
  if (name.compare(0, 7, "_ZTSNUl") == 0 && name.back() == 'E')
    name = "_ZTS" + name.substr(5, name.size() - 6);
  return name;
}

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

/* How a name is written where it does not matter by which compiler. */
using name_form = std::string (*)(std::string);

/* Those of a list that differ from a name in numbers only, by these numbers, each once. Empty if
 * numbers do not tell one from another. */
inline std::vector<std::string> like(const std::string &name, const std::vector<std::string> &names,
                                     name_form form) {
  const lambda_numbers wanted(form(name));
  std::vector<std::pair<std::vector<long>, std::string>> found;
  for (const std::string &other : names) {
    lambda_numbers parts(form(other));
    if (parts.rest == wanted.rest)
      found.emplace_back(std::move(parts.numbers), other);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> sorted;
  sorted.reserve(found.size());
  for (std::size_t i = 0; i < found.size(); i++) {
    if (i && found[i].second == found[i - 1].second)
      continue;
    if (i && found[i].first == found[i - 1].first)
      return {};
    sorted.push_back(found[i].second);
  }
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
  if (lambda_numbers(name).numbers.empty())
    return name;
  std::vector<std::string> in_images;
  for (specpi_image image : registered_images())
    if (unit_of(image) == unit)
      for (const char *kernel : list<const char *>(specpiImageGetKernels, image))
        in_images.emplace_back(kernel);
  name_form form = [](std::string same) { return same; };
  std::vector<std::string> theirs = like(name, in_images, form);
  if (theirs.empty()) {
    form = without_variables;
    theirs = like(name, in_images, form);
  }
  const std::vector<std::string> ours = like(name, host_kernel_names::all().of(unit), form);
  if (theirs.empty())
    return name;
  const auto at = std::find(ours.begin(), ours.end(), name) - ours.begin();
  if (ours.size() == theirs.size())
    return theirs[static_cast<std::size_t>(at)];
  return name + " (the host has " +
         (ours.empty() ? "several kernels" : std::to_string(ours.size()) + " kernels") +
         " of such names and the image " + std::to_string(theirs.size()) +
         ": name them by classes that are declared at namespace scope)";
}

} // namespace sycl::detail

#endif
