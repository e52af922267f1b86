// is_device_copyable: SYCL 2020, 3.13.1.
#ifndef SYCL_DEVICE_COPYABLE_HPP
#define SYCL_DEVICE_COPYABLE_HPP

#include <array>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace sycl {

/*
 * True for types that can be copied to a device as bytes. Users specialise it for their own types.
 * Types of the C++ library are device copyable if their elements are, even if they are not
 * trivially copyable themselves.
 */
template <class T> struct is_device_copyable : std::is_trivially_copyable<T> {};
template <class T> inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;

template <class T> struct is_device_copyable<const T> : is_device_copyable<T> {};
template <class T, std::size_t N> struct is_device_copyable<T[N]> : is_device_copyable<T> {};
template <class T, std::size_t N>
struct is_device_copyable<const T[N]> : is_device_copyable<T> {}; /* else const T and T[N] match */
template <class T, std::size_t N>
struct is_device_copyable<std::array<T, N>> : is_device_copyable<T> {};
template <class T> struct is_device_copyable<std::array<T, 0>> : std::true_type {};
template <class T> struct is_device_copyable<std::optional<T>> : is_device_copyable<T> {};
template <class A, class B>
struct is_device_copyable<std::pair<A, B>>
    : std::bool_constant<is_device_copyable_v<A> && is_device_copyable_v<B>> {};
template <class... T>
struct is_device_copyable<std::tuple<T...>> : std::bool_constant<(is_device_copyable_v<T> && ...)> {
};
template <class... T>
struct is_device_copyable<std::variant<T...>>
    : std::bool_constant<(is_device_copyable_v<T> && ...)> {};

} // namespace sycl

#endif
