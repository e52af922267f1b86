/*
 * Parts that all forms of specialization constants share: the type of an id's constant, the
 * device's value, and a list of values on the host.
 */
#ifndef SYCL_DETAIL_CONSTANT_HPP
#define SYCL_DETAIL_CONSTANT_HPP

#include <sycl/detail/builtins.hpp>
#include <sycl/detail/few.hpp>
#include <sycl/detail/symbolic_id.hpp>

#include <algorithm>
#include <cstring>
#include <specpi/process.h>
#include <type_traits>

namespace sycl::detail {

/* The value type of an id variable: of specialization_id or spec_id. */
template <auto &S>
using constant_type = typename std::remove_cv_t<std::remove_reference_t<decltype(S)>>::value_type;

/* Makes a value from bytes of any alignment. T need not have a default constructor. */
template <class T> T value_of(const void *bytes) noexcept {
  union storage {
    storage() noexcept : none() {}
    char none;
    T value;
  } there;
  std::memcpy(static_cast<void *>(&there), bytes, sizeof(T));
  return there.value;
}

/* The default value, which is the only content of an id variable. */
template <auto &S> const constant_type<S> &constant_default() noexcept {
  static_assert(sizeof(S) == sizeof(constant_type<S>));
  return reinterpret_cast<const constant_type<S> &>(S);
}

#ifdef __SYCL_DEVICE_ONLY__
/* The value in a kernel on a device. */
template <auto &S> constant_type<S> constant_value() noexcept {
  using type = constant_type<S>;
  if constexpr (std::is_arithmetic_v<type> || std::is_enum_v<type>)
    return __sycl_getScalar2020SpecConstantValue<type>("", &S, nullptr);
  else
    return __sycl_getComposite2020SpecConstantValue<type>("", &S, nullptr);
}
#endif

class constant_values;
/* The constants of the kernel that this thread runs on the host device; NULL outside kernels. */
const constant_values *running_constants() noexcept;

/* Values of constants by symbolic id. */
class constant_values {
public:
  using value_bytes = few<unsigned char, 64>;
  struct entry {
    symbolic_id id;
    value_bytes bytes;
  };
  using list = few<entry, 8>;

  void set(const symbolic_id &id, const void *value, std::size_t size);
  /* Adds all values of others. They replace present values of the same constants. */
  void set(const constant_values &others);
  /* Adds the values of others for constants without a value here. */
  void add(const constant_values &others);
  /* The entry of a constant, or NULL. */
  const entry *find(const symbolic_id &id) const noexcept;
  const entry *find(const char *id) const noexcept;
  bool empty() const noexcept {
    return entries_.empty();
  }
  const list &entries() const noexcept {
    return entries_;
  }
  /* Returns whether the constant has a value of these bytes. */
  bool has(const symbolic_id &id, const void *value, std::size_t size) const noexcept;

private:
  list entries_;
};

/* The value of a constant in values, or its default. */
template <auto &S> constant_type<S> constant_among(const constant_values &values) {
  /* A copy, because the type need not have a default constructor. */
  constant_type<S> value = constant_default<S>();
  if (const auto *there = values.find(id_of<S>()))
    std::memcpy(static_cast<void *>(&value), there->bytes.data(),
                std::min(sizeof value, there->bytes.size()));
  return value;
}

} // namespace sycl::detail

#endif
