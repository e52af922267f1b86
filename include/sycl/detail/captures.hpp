/*
 * The layout of a kernel's function object on the host. Classes have the same layout on the host
 * and on the device, and so have lambdas when both compilers are clang. GCC captures constants that
 * clang does not, and orders captures differently. But GCC names each member after the captured
 * variable: "a" becomes __a. The integration header lists the possible names and clang's captures.
 */
#ifndef SYCL_DETAIL_CAPTURES_HPP
#define SYCL_DETAIL_CAPTURES_HPP

#if !defined(__clang__) && !defined(__SYCL_DEVICE_ONLY__)
#define SYCL_DETAIL_NAMES_CAPTURES
#ifndef SPECPI_CAPTURED_NAMES
/* Without its integration header a unit has kernels for the host device only. */
#define SYCL_DETAIL_HAS_NO_HEADER
#define SPECPI_CAPTURED_NAMES(X) X(this)
#define SPECPI_CAPTURED_PACKS " "
#define SPECPI_CLANG_CAPTURES "|"
#endif
#endif

#include <specpi/host/captures.hpp>

namespace sycl::detail {

using namespace specpi::host;

#ifdef SYCL_DETAIL_NAMES_CAPTURES

/* The last name within a type's name that is not a lambda's, and the number of lambdas after it. */
struct type_place {
  std::string_view name;
  char lambdas = '0';
};
template <class T> constexpr type_place place_of() noexcept {
  const std::string_view all = type_text<T>();
  const std::string_view text = all.substr(all.find("T = ") + 4);
  type_place found;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); at++) {
    if (depth == 0 && text[at] != ':' && (at == 0 || text[at - 1] == ':')) {
      if (text.substr(at, 8) == "<lambda(")
        found.lambdas++;
      else
        found = {text.substr(at, text.find_first_of("(<[ :;]", at) - at), '0'};
    }
    depth += text[at] == '(' || text[at] == '<' || text[at] == '[' || text[at] == '{' ? 1 : 0;
    depth -= text[at] == ')' || text[at] == '>' || text[at] == ']' || text[at] == '}' ? 1 : 0;
  }
  return found;
}

/* Unnamed, because the lists of captured names differ from unit to unit. */
namespace {

constexpr bool has_word(std::string_view text, std::string_view word) noexcept {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
    if (at > 0 && text[at - 1] == ' ' && text.substr(at + word.size(), 1) == " ")
      return true;
  return false;
}

template <class K> constexpr bool has_captured_all(std::string_view names) noexcept {
  constexpr auto list = captures_of<K>::list();
  std::size_t wanted = 0;
  std::size_t found = 0;
  for (char c : names.substr(0, names.size() - 1))
    wanted += c == ' ' ? 1 : 0;
  for (std::size_t i = 0; i < captures_of<K>::count; i++)
    found += list.items[i].in == 0 && has_word(names, list.items[i].name) ? 1 : 0;
  return found >= wanted;
}

/*
 * The names that clang captures in the kernel, if the host's compiler lacks one of them; otherwise
 * empty. Several kernels of one function may have the same name here: then the result is empty as
 * soon as one of them fits.
 */
template <class Name, class K> constexpr std::string_view unfit_captures() noexcept {
  const std::string_view text = SPECPI_CLANG_CAPTURES;
  constexpr std::string_view kernel = std::is_same_v<Name, K> ? "" : place_of<Name>().name;
  constexpr type_place place = place_of<K>();
  std::string_view unfit;
  for (std::size_t at = 1; at < text.size(); at = text.find('|', at) + 1) {
    const std::string_view one = text.substr(at, text.find('|', at) - at);
    const std::size_t colon = one.find(':');
    if (colon != kernel.size() + place.name.size() + 3 || one.substr(0, kernel.size()) != kernel ||
        one.substr(kernel.size() + 1, place.name.size()) != place.name ||
        one[colon - 1] != place.lambdas)
      continue;
    if (has_captured_all<K>(one.substr(colon + 1)))
      return {};
    if (unfit.empty())
      unfit = one.substr(colon + 1);
  }
  return unfit;
}

/* Refuses captures that cannot be passed to devices, or whose offset is unknown. */
template <class Name, class K> constexpr bool check_captures() noexcept;
template <class K, class Probe> constexpr bool check_capture() noexcept {
  if constexpr (is_lambda<captured_lambda<K, Probe>>())
    return check_captures<captured_lambda<K, Probe>, captured_lambda<K, Probe>>();
  else
    return true;
}
template <class Name, class K> constexpr bool check_captures() noexcept {
  static_assert(!std::is_pointer_v<captured_type<K, probe_this>>,
                "the kernel captures 'this', a pointer to an object of the host; capture '*this', "
                "or copies of the members that it uses");
  static_assert(!has_nameless<K>(),
                "the kernel captures a parameter pack, and GCC does not tell where its elements "
                "are; capture an array or a class that is made of them, or use clang++ for the "
                "host. The packs of this unit are:" SPECPI_CAPTURED_PACKS);
  constexpr std::string_view unfit = unfit_captures<Name, K>();
  bool done = true;
#define SYCL_DETAIL_CHECK(NAME)                                                                    \
  static_assert(!std::is_reference_v<captured_type<K, probe_##NAME>>,                              \
                "the kernel captures '" #NAME "' by reference, which is memory of the host; "      \
                "capture it by value");                                                            \
  static_assert(!hides_lambda<captured_lambda<K, probe_##NAME>>,                                   \
                "the kernel captures '" #NAME "', which is made for a lambda that captures "       \
                "something itself; GCC lays it out otherwise than the device's compiler: "         \
                "capture the lambda itself, or use clang++ for the host");                         \
  static_assert(has_captured<K, probe_##NAME> || !has_word(unfit, #NAME),                          \
                "the device's compiler captures the constant '" #NAME "' in the kernel, and GCC "  \
                "does not, so that its value is missing; capture it by an initialiser: '" #NAME    \
                " = " #NAME "'");                                                                  \
  done = done && check_capture<K, probe_##NAME>();
  SPECPI_CAPTURED_NAMES(SYCL_DETAIL_CHECK)
#undef SYCL_DETAIL_CHECK
  return done;
}

template <class Name, class F> struct host_layout {
  static constexpr auto captures = captures_of<F>::list();
  static constexpr object_layout value = {sizeof(F), false, true, captures.items,
                                          captures_of<F>::count};
#ifndef SYCL_DETAIL_HAS_NO_HEADER
  static_assert(check_captures<Name, F>());
#endif
};

} // namespace
#endif

/* Returns the layout of the function object F of kernel Name. It is never destroyed. */
template <class Name, class F> const object_layout *layout_of() noexcept {
#ifdef SYCL_DETAIL_NAMES_CAPTURES
  static_assert(!hides_lambda<F>,
                "the kernel's function object is of a class that is made for a lambda which "
                "captures something itself; GCC lays it out otherwise than the device's compiler: "
                "use clang++ for the host");
  if constexpr (is_lambda<F>())
    return &host_layout<Name, F>::value;
  constexpr bool has_lambdas = is_made_for<F, false>::value;
#else
  constexpr bool has_lambdas = true;
#endif
  static constexpr object_layout same = {sizeof(F), true, has_lambdas, nullptr, 0};
  return &same;
}

} // namespace sycl::detail

#endif
