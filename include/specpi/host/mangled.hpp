// Facts read from the mangled name of a type (Itanium C++ ABI).
#ifndef SPECPI_HOST_MANGLED_HPP
#define SPECPI_HOST_MANGLED_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace specpi::host {

/* A kernel's name in images. Not certain: no image has the kernel yet. */
struct image_kernel {
  std::string name;
  bool is_certain;
};

constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/*
 * The position, from at on, of the next L that marks a name as static or as declared in an unnamed
 * namespace; name.size() if there is none. In unnamed namespaces clang omits the mark, and GCC
 * writes it. A template argument that is an enumerator of a global enumeration looks the same.
 */
constexpr std::size_t find_mark(std::string_view name, std::size_t at) noexcept {
  if (at == 0 && name.substr(0, 4) == "_ZTS")
    at = 4;
  while (at < name.size()) {
    const char c = name[at++];
    const char next = at < name.size() ? name[at] : '\0';
    if (c == 'L' && is_digit(next))
      return at - 1;
    if (c == 'L' && next >= 'a' && next <= 'z') {
      /* A literal: i, for int, and a number. */
      at++;
      while (at < name.size() && (is_digit(name[at]) || name[at] == 'n'))
        at++;
    } else if (c == 'S' || c == 'T') {
      /* A substitution: the number of an earlier part of the name. */
      while (at < name.size() && (is_digit(name[at]) || (name[at] >= 'A' && name[at] <= 'Z')))
        at++;
      at++;
    } else if (c == 'A' || c == '_') {
      /* A dimension of an array, or a number that tells equal names apart. */
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
  return name.size();
}

/*
 * Returns whether a type's name has meaning in one unit only, so that other units may have another
 * type of the same name: the type, or its scope, is in an unnamed namespace or a static function.
 */
constexpr bool is_of_one_unit(std::string_view name) noexcept {
  return name.find("_GLOBAL__N_") != name.npos || find_mark(name, 0) < name.size();
}

/* The name without its marks. It is the same for all compilers. */
inline std::string without_marks(std::string_view name) {
  std::string plain;
  std::size_t begin = 0;
  std::size_t mark = find_mark(name, 0);
  for (; mark < name.size(); mark = find_mark(name, begin)) {
    plain += name.substr(begin, mark - begin);
    begin = mark + 1;
  }
  return plain += name.substr(begin);
}

/* Returns whether the name without its marks equals plain. */
constexpr bool is_without_marks(std::string_view name, std::string_view plain) noexcept {
  std::size_t begin = 0;
  for (;;) {
    const std::size_t mark = find_mark(name, begin);
    const std::string_view part = name.substr(begin, mark - begin);
    if (plain.substr(0, part.size()) != part)
      return false;
    plain.remove_prefix(part.size());
    if (mark >= name.size())
      return plain.empty();
    begin = mark + 1;
  }
}

} // namespace specpi::host

#endif
