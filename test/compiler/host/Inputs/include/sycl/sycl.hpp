// The parts of a SYCL runtime's headers that the tests of host code need.
#pragma once

namespace sycl {
inline namespace _V1 {

template <typename T> class specialization_id {
public:
  using value_type = T;
  template <class... A>
  explicit constexpr specialization_id(A... arguments) : value(arguments...) {}
  specialization_id(const specialization_id &) = delete;
  specialization_id &operator=(const specialization_id &) = delete;
  T value;
};

namespace detail {
// Specialised in the integration footer.
template <auto &Name> const char *get_spec_constant_symbolic_ID_impl();
// Defined after the specialisations, by spec_const_integration.hpp.
template <auto &Name> const char *get_spec_constant_symbolic_ID();
} // namespace detail

} // namespace _V1
} // namespace sycl
