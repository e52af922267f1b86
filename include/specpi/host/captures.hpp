/*
 * The layout of a lambda's members in GCC. GCC names each member after the captured variable: "a"
 * becomes __a. SPECPI_CAPTURED_NAMES lists the possible names: SPECPI_X(a) SPECPI_X(b). Its
 * parameter has a name that no variable has. clang does not name members; its lambdas have the same
 * layout as on devices.
 */
#ifndef SPECPI_HOST_CAPTURES_HPP
#define SPECPI_HOST_CAPTURES_HPP

#include <specpi/host/layout.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace specpi::host {

#ifdef SPECPI_CAPTURED_NAMES

/* "... [with T = NAME]" */
template <class T> constexpr const char *type_text() noexcept {
  return __PRETTY_FUNCTION__;
}

/* Returns whether a type is a lambda's, whose name GCC writes as "scope::<lambda(parameters)>". */
template <class T> constexpr bool is_lambda() noexcept {
  const std::string_view text = type_text<T>();
  std::size_t depth = 0;
  /* Searches from the end, from before the last bracket, and skips template arguments. */
  for (std::size_t at = text.size() - 1; at-- > 0;) {
    depth += text[at] == '>' ? 1 : 0;
    depth -= text[at] == '<' && depth ? 1 : 0;
    if (depth == 0)
      return text.substr(at, 8) == "<lambda(";
  }
  return false;
}

/* Returns whether a type is a lambda's that captured something. Only lambdas are asked, because
 * other types may be incomplete. */
template <class T> constexpr bool is_full_lambda() noexcept {
  if constexpr (is_lambda<T>())
    return !std::is_empty_v<T>;
  else
    return false;
}

/* True for lambdas and for classes from a template with a lambda as argument. Full: only lambdas
 * that captured something count. */
template <class T, bool Full>
struct is_made_for : std::bool_constant<Full ? is_full_lambda<T>() : is_lambda<T>()> {};
template <template <class...> class C, class... A, bool Full>
struct is_made_for<C<A...>, Full> : std::disjunction<is_made_for<std::remove_cv_t<A>, Full>...> {};
template <template <class, std::size_t> class C, class A, std::size_t N, bool Full>
struct is_made_for<C<A, N>, Full> : is_made_for<std::remove_cv_t<A>, Full> {};

template <class T>
inline constexpr bool hides_lambda =
    !is_lambda<T>() && !std::is_empty_v<T> && is_made_for<T, true>::value;

/* Unnamed, because the lists of names differ from unit to unit. */
namespace {

template <class T> struct type_of {
  using type = T;
};

/* probe_a::find<K>(0) has the type of lambda K's capture a; void if K did not capture a. */
#define SPECPI_HOST_PROBE(NAME)                                                                    \
  struct probe_##NAME {                                                                            \
    static constexpr const char *name = #NAME;                                                     \
    template <class K> static type_of<decltype(std::declval<K &>().__##NAME)> find(int);           \
    template <class K> static type_of<void> find(...);                                             \
    template <class K> static constexpr std::size_t offset() noexcept {                            \
      return __builtin_offsetof(K, __##NAME);                                                      \
    }                                                                                              \
  };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
SPECPI_CAPTURED_NAMES(SPECPI_HOST_PROBE)
#pragma GCC diagnostic pop
#undef SPECPI_HOST_PROBE

template <class K, class Probe>
using captured_type = typename decltype(Probe::template find<K>(0))::type;
template <class K, class Probe>
inline constexpr bool has_captured = !std::is_void_v<captured_type<K, Probe>>;
template <class K, class Probe> using captured_lambda = std::remove_cv_t<captured_type<K, Probe>>;

template <class K> constexpr std::size_t count_captures() noexcept;
template <class K>
constexpr std::size_t list_captures(capture *list, std::size_t at, std::size_t base,
                                    std::size_t in) noexcept;

template <class K, class Probe> constexpr std::size_t count_capture() noexcept {
  using type = captured_lambda<K, Probe>;
  if constexpr (!has_captured<K, Probe>)
    return 0;
  else if constexpr (is_lambda<type>())
    return 1 + count_captures<type>();
  else
    return 1;
}
template <class K, class Probe>
constexpr std::size_t list_capture(capture *list, std::size_t at, std::size_t base,
                                   std::size_t in) noexcept {
  using type = captured_lambda<K, Probe>;
  if constexpr (!has_captured<K, Probe>) {
    return at;
  } else {
    const std::size_t offset = base + Probe::template offset<K>();
    list[at] = {Probe::name,
                offset,
                sizeof(type),
                in,
                is_lambda<type>(),
                !is_lambda<type>() && is_made_for<type, false>::value && !hides_lambda<type>};
    if constexpr (is_lambda<type>())
      return list_captures<type>(list, at + 1, offset, at + 1);
    else
      return at + 1;
  }
}

template <class K> constexpr std::size_t count_captures() noexcept {
  std::size_t count = 0;
#define SPECPI_HOST_COUNT(NAME) count += count_capture<K, probe_##NAME>();
  SPECPI_CAPTURED_NAMES(SPECPI_HOST_COUNT)
#undef SPECPI_HOST_COUNT
  return count;
}
template <class K>
constexpr std::size_t list_captures(capture *list, std::size_t at, std::size_t base,
                                    std::size_t in) noexcept {
#define SPECPI_HOST_LIST(NAME) at = list_capture<K, probe_##NAME>(list, at, base, in);
  SPECPI_CAPTURED_NAMES(SPECPI_HOST_LIST)
#undef SPECPI_HOST_LIST
  return at;
}

template <class K> struct captures_of {
  static constexpr std::size_t count = count_captures<K>();
  struct array {
    capture items[count + 1];
  };
  static constexpr array list() noexcept {
    array made{};
    list_captures<K>(made.items, 0, 0, 0);
    return made;
  }
};

/* If this capture is the member that follows end, moves end to its end. Returns whether it is. */
template <class K, class Probe> constexpr bool is_next(std::size_t &end) noexcept {
  if constexpr (has_captured<K, Probe>) {
    constexpr std::size_t aligned = alignof(captured_type<K, Probe>);
    constexpr std::size_t offset = Probe::template offset<K>();
    if (sizeof(captured_type<K, Probe>) != 0 && offset == (end + aligned - 1) / aligned * aligned) {
      end = offset + sizeof(captured_type<K, Probe>);
      return true;
    }
  }
  return false;
}
/* Returns whether a lambda has members without a known name, which captured packs have. */
template <class K> constexpr bool has_nameless() noexcept {
  if constexpr (std::is_empty_v<K>)
    return false;
  std::size_t end = 0;
  for (bool found = true; found;) {
    found = false;
#define SPECPI_HOST_FOLLOW(NAME) found = found || is_next<K, probe_##NAME>(end);
    SPECPI_CAPTURED_NAMES(SPECPI_HOST_FOLLOW)
#undef SPECPI_HOST_FOLLOW
  }
  return (end + alignof(K) - 1) / alignof(K) * alignof(K) != sizeof(K);
}

} // namespace
#endif

} // namespace specpi::host

#endif
