// multi_ptr: SYCL 2020, 4.7.7.1: a pointer whose type names the address space of its target.
#ifndef SYCL_MULTI_PTR_HPP
#define SYCL_MULTI_PTR_HPP

#include <sycl/detail/config.hpp>

#include <cstddef>
#include <type_traits>

namespace sycl {

namespace access {
enum class address_space {
  global_space,
  local_space,
  constant_space,
  private_space,
  generic_space
};
enum class decorated { no, yes, legacy };
} // namespace access

/* Holds a generic pointer; only the type has the address space. */
template <class T, access::address_space Space,
          access::decorated Decorated = access::decorated::legacy>
class multi_ptr {
public:
  using value_type = T;
  using element_type = T;
  using pointer = T *;
  using reference = T &;
  using difference_type = std::ptrdiff_t;
  static constexpr access::address_space address_space = Space;

  multi_ptr() noexcept = default;
  multi_ptr(std::nullptr_t) noexcept {}
  explicit multi_ptr(T *pointer) noexcept : pointer_(pointer) {}
  /* Converts from a pointer of the same space, or of any space if Space is generic. May add const.
   */
  template <class U, access::address_space S, access::decorated D,
            class = std::enable_if_t<std::is_convertible_v<U *, T *> &&
                                     (S == Space || Space == access::address_space::generic_space)>>
  multi_ptr(const multi_ptr<U, S, D> &other) noexcept : pointer_(other.get()) {}

  T *get() const noexcept {
    return pointer_;
  }
  T *get_raw() const noexcept {
    return pointer_;
  }
  T *get_decorated() const noexcept {
    return pointer_;
  }
  operator T *() const noexcept {
    return pointer_;
  }
  template <class U = T> std::enable_if_t<!std::is_void_v<U>, U> &operator*() const noexcept {
    return *pointer_;
  }
  T *operator->() const noexcept {
    return pointer_;
  }
  multi_ptr &operator+=(difference_type n) noexcept {
    pointer_ += n;
    return *this;
  }
  multi_ptr &operator-=(difference_type n) noexcept {
    pointer_ -= n;
    return *this;
  }
  multi_ptr &operator++() noexcept {
    return *this += 1;
  }
  multi_ptr &operator--() noexcept {
    return *this -= 1;
  }
  multi_ptr operator++(int) noexcept {
    const multi_ptr before = *this;
    ++*this;
    return before;
  }
  multi_ptr operator--(int) noexcept {
    const multi_ptr before = *this;
    --*this;
    return before;
  }

private:
  T *pointer_ = nullptr;
};

template <class T, access::decorated D = access::decorated::legacy>
using global_ptr = multi_ptr<T, access::address_space::global_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using local_ptr = multi_ptr<T, access::address_space::local_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using constant_ptr = multi_ptr<T, access::address_space::constant_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using private_ptr = multi_ptr<T, access::address_space::private_space, D>;

template <access::address_space Space, access::decorated D = access::decorated::legacy, class T>
multi_ptr<T, Space, D> address_space_cast(T *pointer) noexcept {
  return multi_ptr<T, Space, D>(pointer);
}

} // namespace sycl

#endif
