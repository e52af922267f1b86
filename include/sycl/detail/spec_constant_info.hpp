// The symbolic ids of specialization constants that types name, spec_constant<int, class Width>.
// The source is the proposal "Specialization constants" for SYCL 1.2.1, section "DPC++ FE:
// Integration header generation".
#pragma once

#include <string>
#include <typeinfo>

namespace sycl {
namespace detail {

// The id of the constant that a type names: "_ZTS" and the type's mangled name. The integration
// header specialises this template for every type that a unit uses as a name. Without that header
// the id comes from the type's typeid, which is the same text at run time. The type may be
// incomplete. The text is valid until the process ends.
template <typename Id> struct SpecConstantInfo {
  static const char *getName() {
    // The pointer's typeid, because an incomplete type has none.
    static const std::string name = std::string("_ZTS") + (typeid(Id *).name() + 1);
    return name.c_str();
  }
};

} // namespace detail
} // namespace sycl
