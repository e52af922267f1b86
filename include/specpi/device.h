/*
 * Specialization constants for kernels, in OpenCL C and in C++ for OpenCL. specpi-cc finds this
 * header without any option; docs/internals/specpi-cc.md describes the steps to a device image.
 *
 * OpenCL C (and C++ for OpenCL):
 *
 *   SPECPI_CONSTANT(int, radius, 3);
 *   SPECPI_CONSTANT(struct filter, filter, {0.5f, {1, 2, 3}});
 *   kernel void blur(...) { for (int i = -specpi_get(radius); ... specpi_get(filter).gain ...
 *
 * C++ for OpenCL:
 *
 *   constant specialization_id<int> radius{3};
 *   constant specialization_id<float[3]> weights{{0.25f, 0.5f, 0.25f}};
 *   kernel void blur(...) { for (int i = -get<radius>(); ... get<weights>()[i] ...
 *
 * A constant has its default until a host sets it by its name, the symbolic id. Each use is a value
 * without an address.
 *
 * A constant's type is bool, an integer of 8 to 64 bits, half, float or double, a vector of these,
 * or a structure of all these and of arrays, nested to any depth. Functions of OpenCL C cannot
 * return arrays, so an array has to be a structure's member there.
 *
 * The functions declared here have no definitions: the compiler pass (docs/internals/compiler.md)
 * replaces each call. It recognises the functions by the start of their symbols.
 */
#ifndef SPECPI_DEVICE_H
#define SPECPI_DEVICE_H

#if !defined(__OPENCL_C_VERSION__) && !defined(__OPENCL_CPP_VERSION__)
#error specpi/device.h is for kernels: OpenCL C or C++ for OpenCL
#endif

#ifdef __cplusplus
#define SPECPI_STATIC_ASSERT static_assert
#else
#define SPECPI_STATIC_ASSERT _Static_assert
#endif

/*
 * Declares a constant at program scope. The symbolic id is the name itself. The default follows the
 * name: an initializer of the type, which may have braces and commas. It is required.
 */
#define SPECPI_CONSTANT(type, name, ...)                                                           \
  SPECPI_STATIC_ASSERT(sizeof("" #__VA_ARGS__) > 1,                                                \
                       "SPECPI_CONSTANT(type, " #name ", default): the default is missing");       \
  struct specpi_default_of_##name {                                                                \
    type value;                                                                                    \
  };                                                                                               \
  static __constant const struct specpi_default_of_##name specpi_default_##name                    \
      __attribute__((unused)) = {__VA_ARGS__};                                                     \
  type specpi_constant_##name(                                                                     \
      __constant const char *, __constant const struct specpi_default_of_##name *,                 \
      __global const void *) __asm__("_Z37__sycl_getScalar2020SpecConstantValue_" #name)

/* The value of a constant that SPECPI_CONSTANT declared. */
#define specpi_get(name)                                                                           \
  specpi_constant_##name(#name, &specpi_default_##name, (__global const void *)0)

#ifdef __cplusplus

/* The function that get calls. Its mangled name starts as the pass expects. */
template <typename Value, typename Id>
Value __sycl_getComposite2020SpecConstantValue(const __constant char *name, const __constant Id *id,
                                               const __global void *buffer);

namespace specpi {

/* The result of get for an array, which no function can return. */
template <typename T, size_t Size> struct array {
  T elements[Size];
  T &operator[](size_t i) {
    return elements[i];
  }
  const T &operator[](size_t i) const {
    return elements[i];
  }
};

/*
 * The type of a constant: a variable in constant memory at namespace scope, or a static member,
 * initialized with its default in braces. The symbolic id is the variable's qualified name, e.g.
 * "filters::radius".
 */
template <typename T> struct specialization_id {
  T value; /* the default */
};

namespace detail {

template <typename T> struct value_of {
  using type = T;
};
template <typename T, size_t Size> struct value_of<T[Size]> {
  using type = array<typename value_of<T>::type, Size>;
};

/* The type that get returns for a variable. */
template <typename Id> struct result_of {
  static_assert(
      sizeof(Id) == 0,
      "get<NAME>(): NAME is no 'constant specialization_id<T>' (docs/internals/specpi-cc.md)");
  using type = int;
};
template <typename T> struct result_of<const __constant specialization_id<T> &> {
  using type = typename value_of<T>::type;
};

/* The compiler's description of this function ends with "[Id = the variable's name]". */
template <const __constant auto &Id> constexpr const __constant char *spelled() {
  return __PRETTY_FUNCTION__;
}
template <const __constant auto &Id> constexpr size_t begin_of_name() {
  size_t i = 0;
  while (spelled<Id>()[i] != '[')
    i++;
  while (spelled<Id>()[i] != '=')
    i++;
  return i + 2;
}
template <const __constant auto &Id> constexpr size_t size_of_name() {
  size_t i = begin_of_name<Id>();
  while (spelled<Id>()[i + 1] != '\0')
    i++;
  return i - begin_of_name<Id>();
}

template <typename T, T... Position> struct positions {};
template <const __constant auto &Id, typename Positions> struct name_at;
template <const __constant auto &Id, size_t... Position>
struct name_at<Id, positions<size_t, Position...>> {
  static constexpr __constant char text[] = {spelled<Id>()[begin_of_name<Id>() + Position]...,
                                             '\0'};
};
template <const __constant auto &Id>
using name_of = name_at<Id, __make_integer_seq<positions, size_t, size_of_name<Id>()>>;

} // namespace detail

/* The value of a constant. For an array, also a nested one, it is a specpi::array. */
template <const __constant auto &Id> auto get() {
  using value = typename detail::result_of<decltype((Id))>::type;
  return __sycl_getComposite2020SpecConstantValue<value>(detail::name_of<Id>::text, &Id, nullptr);
}

} // namespace specpi

/*
 * If these names are used otherwise, define SPECPI_NO_GLOBAL_NAMES and write specpi:: before them.
 */
#ifndef SPECPI_NO_GLOBAL_NAMES
using specpi::get;
using specpi::specialization_id;
#endif

#endif

#endif
