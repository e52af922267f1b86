/*
 * What is where in a kernel's function object, as the host's compiler has laid it out. Classes are
 * the same on both sides, and so are lambdas when both compilers are clang. GCC captures in a
 * lambda constants that clang does not, and in another order; but it names each member after what
 * it captured: "a" is __a. The integration header has the names that there may be, and what clang
 * captures.
 */
#ifndef SYCL_DETAIL_CAPTURES_HPP
#define SYCL_DETAIL_CAPTURES_HPP

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#if !defined(__clang__) && !defined(__SYCL_DEVICE_ONLY__)
#define SYCL_DETAIL_NAMES_CAPTURES
#endif

namespace sycl::detail {

/* What a lambda captured. */
struct capture {
  const char *name = nullptr;
  std::size_t offset = 0; /* in the function object */
  std::size_t size = 0;
  std::size_t in = 0;       /* 0, or the index of the captured lambda that has it, plus 1 */
  bool is_lambda = false;   /* what it captured follows */
  bool has_lambdas = false; /* it is of a class with lambdas, none of which captured anything */
};

struct object_layout {
  std::size_t size;
  bool is_same;            /* as on devices, if the size is */
  bool has_lambdas;        /* if it is of a class with lambdas, they are the same, too */
  const capture *captures; /* of a lambda */
  std::size_t count;
};

#ifdef SYCL_DETAIL_NAMES_CAPTURES

#ifndef SPECPI_CAPTURED_NAMES
/* Without its header a unit has no kernels for devices, only for the host device. */
#define SYCL_DETAIL_HAS_NO_HEADER
#define SPECPI_CAPTURED_NAMES(X) X(this)
#define SPECPI_CAPTURED_PACKS " "
#define SPECPI_CLANG_CAPTURES "|"
#endif

/* "... [with T = NAME]" */
template <class T> constexpr const char *type_text() noexcept {
  return __PRETTY_FUNCTION__;
}

/* Whether a type is a lambda's, whose name GCC writes as "scope::<lambda(parameters)>". */
template <class T> constexpr bool is_lambda() noexcept {
  const std::string_view text = type_text<T>();
  std::size_t depth = 0;
  /* From the end, without the bracket of the template's arguments. */
  for (std::size_t at = text.size() - 1; at-- > 0;) {
    depth += text[at] == '>' ? 1 : 0;
    depth -= text[at] == '<' && depth ? 1 : 0;
    if (depth == 0)
      return text.substr(at, 8) == "<lambda(";
  }
  return false;
}

/* The last name in that of a type which is no lambda's, and how many lambdas follow it. */
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

/* Others may be incomplete. */
template <class T> constexpr bool is_full_lambda() noexcept {
  if constexpr (is_lambda<T>())
    return !std::is_empty_v<T>;
  else
    return false;
}

/* Whether a class is made of a template for lambdas: any, and such that captured something. */
template <class T, bool Full>
struct is_made_for : std::bool_constant<Full ? is_full_lambda<T>() : is_lambda<T>()> {};
template <template <class...> class C, class... A, bool Full>
struct is_made_for<C<A...>, Full> : std::disjunction<is_made_for<std::remove_cv_t<A>, Full>...> {};
template <template <class, std::size_t> class C, class A, std::size_t N, bool Full>
struct is_made_for<C<A, N>, Full> : is_made_for<std::remove_cv_t<A>, Full> {};

template <class T>
inline constexpr bool hides_lambda =
    !is_lambda<T>() && !std::is_empty_v<T> && is_made_for<T, true>::value;

/* The names are the unit's. */
namespace {

template <class T> struct type_of {
  using type = T;
};

/* probe_a::find<K>(0) is of the type of what K captured under the name a; void if it did not. */
#define SYCL_DETAIL_PROBE(NAME)                                                                    \
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
SPECPI_CAPTURED_NAMES(SYCL_DETAIL_PROBE)
#pragma GCC diagnostic pop
#undef SYCL_DETAIL_PROBE

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
    list[at] = {Probe::name,       offset,
                sizeof(type),      in,
                is_lambda<type>(), !is_lambda<type>() && is_made_for<type, false>::value};
    if constexpr (is_lambda<type>())
      return list_captures<type>(list, at + 1, offset, at + 1);
    else
      return at + 1;
  }
}

template <class K> constexpr std::size_t count_captures() noexcept {
  std::size_t count = 0;
#define SYCL_DETAIL_COUNT(NAME) count += count_capture<K, probe_##NAME>();
  SPECPI_CAPTURED_NAMES(SYCL_DETAIL_COUNT)
#undef SYCL_DETAIL_COUNT
  return count;
}
template <class K>
constexpr std::size_t list_captures(capture *list, std::size_t at, std::size_t base,
                                    std::size_t in) noexcept {
#define SYCL_DETAIL_LIST(NAME) at = list_capture<K, probe_##NAME>(list, at, base, in);
  SPECPI_CAPTURED_NAMES(SYCL_DETAIL_LIST)
#undef SYCL_DETAIL_LIST
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

/* Adds the alignment of a member that begins where the last one ended; whether there is one. */
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
/* Whether a lambda has members that have no name here: those of packs. */
template <class K> constexpr bool has_nameless() noexcept {
  if constexpr (std::is_empty_v<K>)
    return false;
  std::size_t end = 0;
  for (bool found = true; found;) {
    found = false;
#define SYCL_DETAIL_FOLLOW(NAME) found = found || is_next<K, probe_##NAME>(end);
    SPECPI_CAPTURED_NAMES(SYCL_DETAIL_FOLLOW)
#undef SYCL_DETAIL_FOLLOW
  }
  return (end + alignof(K) - 1) / alignof(K) * alignof(K) != sizeof(K);
}

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
 * The names that clang's lambda has captured in a kernel of that name, if one is not captured here.
 * Several kernels of one function may look alike: none of them fits then.
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

/* Refuses what cannot be given to devices, or not be told. */
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

/* Of the kernel of that name, F where it has none. Stays for ever. */
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
