// What the mangled name of a type, in the way of the Itanium C++ ABI, tells of it.
#ifndef SYCL_DETAIL_MANGLED_HPP
#define SYCL_DETAIL_MANGLED_HPP

#include <cstddef>
#include <string_view>

namespace sycl::detail {

constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/*
 * Whether only one unit can mean a type by this name, while others may have another type of the
 * same name: it, or what it is in, is in a namespace without a name, or in a static function. These
 * have an L before their own names. An enumerator of an enumeration at global scope looks the same
 * among template arguments, and its kernels count as their unit's alone.
 */
constexpr bool is_of_one_unit(std::string_view name) noexcept {
  if (name.find("_GLOBAL__N_") != name.npos)
    return true;
  std::size_t at = name.substr(0, 4) == "_ZTS" ? 4 : 0;
  while (at < name.size()) {
    const char c = name[at++];
    const char next = at < name.size() ? name[at] : '\0';
    if (c == 'L' && is_digit(next))
      return true;
    if (c == 'L' && next >= 'a' && next <= 'z') {
      /* A literal: i, for int, and a number. */
      at++;
      while (at < name.size() && (is_digit(name[at]) || name[at] == 'n'))
        at++;
    } else if (c == 'S' || c == 'T') {
      /* What stood there before, by number. */
      while (at < name.size() && (is_digit(name[at]) || (name[at] >= 'A' && name[at] <= 'Z')))
        at++;
      at++;
    } else if (c == 'A' || c == '_') {
      /* A dimension, or the number of one of several. */
      while (at < name.size() && is_digit(name[at]))
        at++;
    } else if (is_digit(c)) {
      /* The length of a name, and the name. */
      std::size_t length = static_cast<std::size_t>(c - '0');
      while (at < name.size() && is_digit(name[at]))
        length = length * 10 + static_cast<std::size_t>(name[at++] - '0');
      at += length;
    }
  }
  return false;
}

} // namespace sycl::detail

#endif
