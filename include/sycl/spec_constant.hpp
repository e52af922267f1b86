/*
 * spec_constant: the placeholder of a constant in a kernel. SYCL Modules, "Specialization
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
 * A placeholder, which a kernel captures and reads. On a device it has the value that the kernel
 * was built with, an immediate of the code; on the host device the object holds the value. The
 * proposals allow different operations, and this class allows all of them: it can be made without a
 * value, copied and assigned. Until it is assigned, an object made without a value has the default.
 */
template <class T, spec_id<T> &s> class spec_constant {
public:
  using type = T;

#ifdef __SYCL_DEVICE_ONLY__
  /* Does not read the id variable s, which exists only on the host. */
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
    /* In a program's kernel the program's values come first. */
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

  /* Bytes, because T need not have a default constructor; the same layout on host and device. */
  alignas(T) unsigned char bytes_[sizeof(T)];
};

namespace detail {
/* Lets command groups, modules and programs make placeholders. */
struct placeholder_access {
  template <class T, spec_id<T> &s> static spec_constant<T, s> make(const T &value) noexcept {
    return spec_constant<T, s>(static_cast<const void *>(&value));
  }
};
template <class T> struct identity {
  using type = T;
};
/* T as the type of a parameter from which T is not deduced. */
template <class T> using as_is = typename identity<T>::type;
} // namespace detail

/* The value in a kernel. The placeholder has to come from the handler that launched the kernel. */
template <class T, spec_id<T> &s> T get_spec_constant(const spec_constant<T, s> &constant) {
  return constant.get();
}
/* The same with s as explicit argument. Without it, s is deduced from the placeholder by the first
 * form only. */
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
