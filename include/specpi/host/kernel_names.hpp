/*
 * Finds the names, in images, of kernels named by a lambda, or by a class in a lambda, if the
 * host's compiler numbers lambdas differently from the device compiler.
 *
 * The Itanium C++ ABI numbers lambdas with the same parameters in a context; GCC before 13 numbers
 * all lambdas of a context. Both count in the source's order, so the kernels whose names differ
 * only in such numbers have the same order on the host and in the image. To match them, all kernels
 * of the host are needed. For lambdas in functions that are not inline, clang writes $_0 instead of
 * such numbers, unless it compiles for SYCL's host.
 */
#ifndef SPECPI_HOST_KERNEL_NAMES_HPP
#define SPECPI_HOST_KERNEL_NAMES_HPP

#include <specpi/host/mangled.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace specpi::host {

/* A mangled name without the numbers of its lambdas, and these numbers: E_ is -1, E0_ 0, E1_ 1. */
struct lambda_numbers {
  std::string rest;
  std::vector<long> numbers;

  explicit lambda_numbers(const std::string &name);
};

inline lambda_numbers::lambda_numbers(const std::string &name) {
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

/*
 * A mangled name without the names of variables whose initialisers contain its lambdas. Compilers
 * differ there: GCC writes 1vMUlvE_ in most cases, clang UlvE_ in some. Because numbers of
 * substitutions then differ, too, they are removed.
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
  /* A lambda directly in a variable's initialiser was nested in the variable's name. */
  if (name.compare(0, 7, "_ZTSNUl") == 0 && name.back() == 'E')
    name = "_ZTS" + name.substr(5, name.size() - 6);
  return name;
}

/* The position after a part of a nested name; name.size() if the part is not a plain name. */
inline std::size_t end_of_part(const std::string &name, std::size_t at) {
  at += name[at] == 'L' ? 1 : 0;
  if (name[at] == 'S')
    return std::min(name.find('_', at), name.size() - 1) + 1;
  std::size_t length = 0;
  const std::size_t begin = at;
  while (at < name.size() && is_digit(name[at]) && length < name.size())
    length = length * 10 + static_cast<std::size_t>(name[at++] - '0');
  return at == begin ? name.size() : std::min(at + length, name.size());
}

/*
 * A mangled name without the namespaces of variables that are template arguments. For an extern "C"
 * variable in a namespace GCC writes L_ZN1n1vEE, and clang L_Z1vE.
 */
inline std::string without_qualifiers(std::string name) {
  for (std::size_t at = name.find("L_ZN"); at != name.npos; at = name.find("L_ZN", at + 1)) {
    std::size_t last = at + 4;
    std::size_t end = last;
    while (end < name.size() && name[end] != 'E') {
      last = end;
      end = end_of_part(name, end);
    }
    if (name.compare(end, 2, "EE") == 0)
      name = name.substr(0, at + 3) + name.substr(last, end - last) + name.substr(end + 1);
  }
  return without_marks(without_variables(std::move(name)));
}

inline std::string as_it_is(std::string name) {
  return name;
}

/* A function that normalises a name, so that names from different compilers compare equal. */
using name_form = std::string (*)(std::string);

/* The names of a list that differ from name in numbers only, sorted by the numbers, without
 * repetitions. Empty if two of them have the same numbers. */
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

/* The kernel names in a unit's images (theirs) and in its host code (ours). sort() sorts them and
 * removes repetitions. */
struct kernel_lists {
  std::vector<std::string> theirs;
  std::vector<std::string> ours;

  void sort() {
    for (std::vector<std::string> *all : {&theirs, &ours}) {
      std::sort(all->begin(), all->end());
      all->erase(std::unique(all->begin(), all->end()), all->end());
    }
  }
  /* Removes the names that are in both lists. */
  void drop_common();
  /*
   * Finds the name in the images for a kernel's name from the host's compiler. Without images, as
   * on a machine with a host device only, the name is the same. If host and images have different
   * numbers of similar names, they cannot be matched: the result is then no valid name, but a text
   * that says what to do.
   */
  image_kernel find(const std::string &name) const;
};

inline void kernel_lists::drop_common() {
  std::vector<std::string> rest[2];
  std::set_difference(theirs.begin(), theirs.end(), ours.begin(), ours.end(),
                      std::back_inserter(rest[0]));
  std::set_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                      std::back_inserter(rest[1]));
  theirs.swap(rest[0]);
  ours.swap(rest[1]);
}

inline image_kernel kernel_lists::find(const std::string &name) const {
  kernel_lists kernels = *this;
  if (lambda_numbers(name).numbers.empty()) {
    if (std::binary_search(kernels.theirs.begin(), kernels.theirs.end(), name))
      return {name, true};
    kernels.drop_common(); /* without numbers, equal names mean the same kernel */
  }
  for (const name_form form : {as_it_is, without_variables, without_qualifiers}) {
    const std::vector<std::string> theirs = like(name, kernels.theirs, form);
    if (theirs.empty())
      continue;
    const std::vector<std::string> ours = like(name, kernels.ours, form);
    if (ours.size() == theirs.size())
      return {theirs[static_cast<std::size_t>(std::find(ours.begin(), ours.end(), name) -
                                              ours.begin())],
              true};
    return {name + " (the host has " +
                (ours.empty() ? "several kernels" : std::to_string(ours.size()) + " kernels") +
                " of such names and the image " + std::to_string(theirs.size()) +
                ": name them by classes that are declared at namespace scope)",
            false};
  }
  return {name, false};
}

} // namespace specpi::host

#endif
