/*
 * spec_constant: what stands for a constant's value in a kernel. SYCL Modules, "Specialization
 * constant types" and "Getting the value of specialization constant in kernel" (sycl::), and SYCL
 * Specialization Constant, "Specialization Constant Representation" (sycl::experimental::).
 */
#ifndef SYCL_SPEC_CONSTANT_HPP
#define SYCL_SPEC_CONSTANT_HPP

#include <sycl/detail/constant.hpp>
#include <sycl/spec_id.hpp>

#include <cstring>

namespace sycl {

namespace detail {
struct placeholder_access;
}

/*
 * A kernel captures it and gets the value of it. On a device that is the value which the kernel was
 * built with, an immediate of its code; on the host device the object carries the value. The
 * texts differ in what can be done with it: what one of them allows is allowed, so it can be
 * made without a value, copied and assigned. One that was made without a value and not assigned
 * has the default.
 */
template <class T, spec_id<T> &s> class spec_constant {
public:
  using type = T;

#ifdef __SYCL_DEVICE_ONLY__
  /* The variable is the host's alone. */
  spec_constant() noexcept = default;
#else
  spec_constant() noexcept : spec_constant(&s) {}
#endif
  spec_constant(const spec_constant &) = default;
  spec_constant &operator=(const spec_constant &) = default;

  T get() const {
#ifdef __SYCL_DEVICE_ONLY__
    return detail::constant_value<s>();
#else
    /* A kernel that a program was built of has the program's values. */
    const detail::constant_values *running = detail::running_constants();
    const auto *there = running ? running->find(detail::id_of<s>()) : nullptr;
    return detail::value_of<T>(there ? there->bytes.data() : bytes_);
#endif
  }
  operator T() const {
    return get();
  }

private:
  friend struct detail::placeholder_access;
  explicit spec_constant(const void *value) noexcept {
    std::memcpy(bytes_, value, sizeof bytes_);
  }

  /* As bytes, since T need not have a default constructor; the same on both sides. */
  alignas(T) unsigned char bytes_[sizeof(T)];
};

namespace detail {
/* Makes placeholders, which only command groups, modules and programs do. */
struct placeholder_access {
  template <class T, spec_id<T> &s> static spec_constant<T, s> make(const T &value) noexcept {
    return spec_constant<T, s>(static_cast<const void *>(&value));
  }
};
template <class T> struct identity {
  using type = T;
};
/* A type from which nothing is deduced. */
template <class T> using as_is = typename identity<T>::type;
} // namespace detail

/* The value, in a kernel; the placeholder is of the handler that launched it. */
template <class T, spec_id<T> &s> T get_spec_constant(const spec_constant<T, s> &constant) {
  return constant.get();
}
/* The same where s is written; when it is not, the first form alone finds it from the placeholder.
 */
template <auto &s>
detail::constant_type<s>
get_spec_constant(const detail::as_is<spec_constant<detail::constant_type<s>, s>> &constant) {
  return constant.get();
}

namespace experimental {
using sycl::get_spec_constant;
using sycl::spec_constant;
} // namespace experimental

} // namespace sycl

#endif
