/*
 * The facts about the unit's kernels for DPC++'s runtime when GCC compiles the host side: a
 * kernel's name in images, and its parameters with their offsets in GCC's layout of the function
 * object. Included after the unit's integration header.
 */
#ifndef SPECPI_HOST_KERNEL_SLOT_HPP
#define SPECPI_HOST_KERNEL_SLOT_HPP
/* The header is included by its path, so GCC would warn about it, too. */
#pragma GCC system_header

#include <specpi/host/captures.hpp>
#include <specpi/host/kernel_names.hpp>
#include <specpi/host/object_moves.hpp>

#include <sycl/detail/compile_time_kernel_info.hpp>
#include <sycl/exception.hpp>

#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {
template <class> class __pf_kernel_wrapper;
template <class, int, class> class RoundedRangeKernel;
template <class, int, class> class RoundedRangeKernelWithKH;
#ifdef SPECPI_HAS_NO_KERNELS
static constexpr const char *const kernel_names[] = {""};
static constexpr unsigned kernel_args_sizes[] = {0};
static constexpr const kernel_param_desc_t kernel_signatures[] = {{}};
#endif
} // namespace detail
} // namespace _V1
} // namespace sycl

namespace specpi::host {

/* The type that names a kernel, and the type of its function object. If DPC++ wraps that, it is the
 * type of the wrapped object. */
template <class K> struct kernel_identity {
  using name = K;
  using object = K;
};
template <class N, class T> struct kernel_identity<named_kernel<N, T>> {
  using name = N;
  using object = T;
};
template <class N, class T>
struct kernel_identity<sycl::detail::__pf_kernel_wrapper<named_kernel<N, T>>> {
  using name = sycl::detail::__pf_kernel_wrapper<N>;
  using object = T;
};
template <class I, int D, class T>
struct kernel_identity<sycl::detail::RoundedRangeKernel<I, D, T>> {
  using name = sycl::detail::RoundedRangeKernel<I, D, T>;
  using object = T;
};
template <class I, int D, class T>
struct kernel_identity<sycl::detail::RoundedRangeKernelWithKH<I, D, T>> {
  using name = sycl::detail::RoundedRangeKernelWithKH<I, D, T>;
  using object = T;
};

/*
 * A function object's layout on the device: the text of object_moves.hpp, and the object's offset
 * in DPC++'s wrapper.
 */
struct device_object {
  std::string text;
  int base = 0;
};

/* Finds the wrapped object: "24 UserRange 0 8 KernelFunc 8 16 KernelFunc.p 8 8" becomes "16 p 0 8".
 */
inline device_object unwrap_object(const char *text) {
  static const std::string member = "KernelFunc";
  std::istringstream words(text);
  std::string name;
  device_object found{text};
  int all = 0, at = 0, size = 0;
  words >> all >> name >> at >> size;
  if (name != "UserRange")
    return found;
  found.text.clear();
  while (words >> name >> at >> size)
    if (name == member || name == member + "~") {
      found.text = std::to_string(size);
      found.base = at;
    } else if (name.compare(0, member.size() + 1, member + ".") == 0) {
      for (const std::string &word :
           {name.substr(member.size() + 1), std::to_string(at - found.base), std::to_string(size)})
        found.text.append(" ").append(word);
    }
  return found;
}

/* Unnamed, because each unit has its own tables. */
namespace {

/* GCC's names of this unit's kernels. The list is complete before main. */
inline std::vector<std::string> &host_kernels() {
  static std::vector<std::string> all;
  return all;
}

/* A kernel's name in images without what follows it if only this unit has the kernel. */
inline std::string without_suffix(const std::string &name) {
  static const std::string suffix = SPECPI_INTERNAL_SUFFIX;
  const std::size_t size = name.size() < suffix.size() ? 0 : name.size() - suffix.size();
  return name.compare(size, std::string::npos, suffix) == 0 ? name.substr(0, size) : name;
}

inline std::string image_name(const std::string &name) {
  kernel_lists lists;
  lists.ours = host_kernels();
  lists.ours.push_back(name);
  for (const char *kernel : sycl::detail::kernel_names)
    if (*kernel)
      lists.theirs.push_back(without_suffix(kernel));
  lists.sort();
  const std::string found = lists.find(name).name;
  for (const char *kernel : sycl::detail::kernel_names)
    if (found == without_suffix(kernel))
      return kernel;
  return found;
}

/* The parameters of a kernel with their offsets on devices; throws if there is no such kernel. */
inline std::vector<sycl::detail::kernel_param_desc_t> device_parameters(const std::string &name) {
  std::size_t begin = 0;
  for (std::size_t i = 0; *sycl::detail::kernel_names[i]; i++) {
    const std::size_t count = sycl::detail::kernel_args_sizes[i];
    if (name == sycl::detail::kernel_names[i])
      return {sycl::detail::kernel_signatures + begin,
              sycl::detail::kernel_signatures + begin + count};
    begin += count;
  }
  throw sycl::exception(sycl::make_error_code(sycl::errc::kernel_not_supported),
                        "no image of this unit has the kernel " + name);
}

inline specpi_device_object device_row(const std::string &name) {
  for (const specpi_device_object *one = specpi_device_objects; one->kernel; one++)
    if (name == one->kernel)
      return *one;
  return {name.c_str(), "", "0"};
}

/* Returns whether a lambda of the host captures what the device's does, whose text this is; only
 * the captures of the lambda itself count. */
template <class T> constexpr bool has_captures(std::string_view text) {
  constexpr auto list = captures_of<T>::list();
  bool wrapped = false;
  for (std::size_t at = text.find(' '); at != text.npos;) {
    const std::size_t end = text.find(' ', at + 1);
    std::string_view name = text.substr(at + 1, end - at - 1);
    at = text.find(' ', text.find(' ', end + 1) + 1);
    if (wrapped)
      name.remove_prefix(name.find('.') == name.npos ? name.size() : name.find('.') + 1);
    wrapped = wrapped || name == "UserRange";
    if (name.empty() || name == "UserRange" || name.find('.') != name.npos)
      continue;
    if (name.back() == '~')
      name.remove_suffix(1);
    bool found = false;
    for (const capture &one : list.items)
      found = found || (one.name != nullptr && one.in == 0 && name == one.name);
    if (!found)
      return false;
  }
  return true;
}

/*
 * Returns whether a launch may find a lambda's captures: in the device's object of the kernel with
 * that name or, if the name is not known before the program runs, in one of the unit.
 */
template <class T> constexpr bool may_match(std::string_view kernel) {
#ifndef SPECPI_CAPTURES_AT_LAUNCH
  if constexpr (is_lambda<T>() && !std::is_empty_v<T>) {
    bool any = false;
    for (const specpi_device_object *one = specpi_device_objects; one->kernel; one++)
      if (kernel.empty() || kernel == one->kernel) {
        any = true;
        if (has_captures<T>(one->object))
          return true;
      }
    return !any || has_nameless<T>();
  }
#endif
  return true;
}

template <class T> object_layout layout_of_object() {
  if constexpr (is_lambda<T>()) {
    static constexpr auto list = captures_of<T>::list();
    return {sizeof(T), false, true, list.items, captures_of<T>::count};
  } else {
    return {sizeof(T), true, !hides_lambda<T>, nullptr, 0};
  }
}

template <class T> constexpr bool has_packs() {
  if constexpr (is_lambda<T>())
    return has_nameless<T>();
  else
    return false;
}

} // namespace

/* The offset of a parameter in the host's object, from its offset in the device's; -1 if the host
 * has the parameter in several pieces. */
inline int place_of_parameter(const object_moves &moves, std::size_t at, std::size_t size) {
  int place = -1;
  for (const object_moves::move &one : moves.all) {
    if (at >= one.to + one.size || one.to >= at + size)
      continue;
    const int here = static_cast<int>(one.from) - static_cast<int>(one.to) + static_cast<int>(at);
    if (place != -1 && place != here)
      return -1;
    place = here;
  }
  return place;
}

/* Unnamed, too: code that depends on the unit's tables must not be merged with that of other units
 * by the linker. */
namespace {

template <class K> struct kernel_slot {
  using identity = kernel_identity<K>;
  using parameter = sycl::detail::kernel_param_desc_t;

  static std::string host_name() {
    return std::string("_ZTS").append(typeid(typename identity::name *).name() + 1);
  }
  static const std::string &name() {
    /* The integration header has the names of kernels that types at namespace scope name. */
    const char *given = sycl::detail::KernelInfo<typename identity::name>::getName();
    (void)&is_registered;
    static const std::string found = *given ? given : image_name(host_name());
    return found;
  }
  static const sycl::detail::CompileTimeKernelInfoTy &known() {
    static const sycl::detail::CompileTimeKernelInfoTy info = make();
    return info;
  }

private:
  static inline const bool is_registered = (host_kernels().push_back(host_name()), true);

  static const std::vector<parameter> &parameters() {
    static const std::vector<parameter> all = move_parameters(device_parameters(name()));
    return all;
  }
  static parameter get(int index) {
    return parameters()[static_cast<std::size_t>(index)];
  }

  [[noreturn]] static void refuse(const std::string &why) {
    throw sycl::exception(
        sycl::make_error_code(sycl::errc::kernel_argument),
        std::string(device_row(name()).place)
            .append(": the function object of kernel ")
            .append(name())
            .append(" ")
            .append(why)
            .append("; an initialiser captures a constant on both sides, '[=, n = n]', and clang++ "
                    "as the host's compiler lays everything out as devices do"));
  }

  static std::vector<parameter> move_parameters(std::vector<parameter> all) {
    using object = typename identity::object;
    if (all.empty())
      return all;
    const object_layout layout = layout_of_object<object>();
    const device_object device = unwrap_object(device_row(name()).object);
    const object_matching matching(layout, device.text);
    object_moves moves;
    const std::string why = matching.find(moves);
    if (!why.empty() && has_packs<object>() && matching.has_named_in_place())
      return all;
    if (!why.empty())
      refuse(why);
    if (!matching.is_in_place(moves))
      for (parameter &one : all)
        move(one, moves, device.base);
    return all;
  }

  static void move(parameter &one, const object_moves &moves, int base) {
    using kind = sycl::detail::kernel_param_kind_t;
    if (one.offset < base) /* the parameter is the wrapper's own */
      return;
    const std::size_t size = one.kind == kind::kind_std_layout || one.kind == kind::kind_pointer
                                 ? static_cast<std::size_t>(one.info)
                                 : 1;
    const int at = place_of_parameter(moves, static_cast<std::size_t>(one.offset - base), size);
    if (at < 0)
      refuse("captures a lambda whose members GCC has in another order");
    one.offset = base + at;
  }

  static sycl::detail::CompileTimeKernelInfoTy make() {
    using kind = sycl::detail::kernel_param_kind_t;
    static_assert(
        may_match<typename identity::object>(
            sycl::detail::KernelInfo<typename identity::name>::getName()),
        "a kernel captures a constant on devices that GCC does not capture; an initialiser "
        "captures it on both sides, '[=, n = n]'");
    sycl::detail::CompileTimeKernelInfoTy info;
    info.Name = std::string_view(name());
    info.NumParams = static_cast<unsigned>(parameters().size());
    info.KernelSize = static_cast<long>(sizeof(typename identity::object));
    info.ParamDescGetter = &get;
    info.HasSpecialCaptures = parameters().empty();
    for (const parameter &one : parameters())
      info.HasSpecialCaptures = info.HasSpecialCaptures || (one.kind != kind::kind_std_layout &&
                                                            one.kind != kind::kind_pointer);
    return info;
  }
};

} // namespace

} // namespace specpi::host

#endif
