// Included at the end of the integration footer.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace detail {
template <auto &Name> const char *get_spec_constant_symbolic_ID() {
  return get_spec_constant_symbolic_ID_impl<Name>();
}
} // namespace detail
} // namespace _V1
} // namespace sycl
