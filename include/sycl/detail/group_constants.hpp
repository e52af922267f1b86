/*
 * The constants of a command group's kernel: what SYCL 2020 and the proposals set through a
 * handler, and the placeholders which the proposals get from it. SYCL Modules, "Retrieving a
 * specialization constant placeholder"; SYCL Specialization Constant, "Getting Specialization
 * Constants via the command group handler".
 */
#ifndef SYCL_DETAIL_GROUP_CONSTANTS_HPP
#define SYCL_DETAIL_GROUP_CONSTANTS_HPP

#include <sycl/detail/constant.hpp>
#include <sycl/exception.hpp>
#include <sycl/spec_constant.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace sycl::detail {

class group_constants : public constant_values {
public:
  /* The one placeholder of an id, with that value, or if NULL the present one. */
  template <auto &S>
  spec_constant<constant_type<S>, S> placeholder(const constant_type<S> *value = nullptr) {
    using type = constant_type<S>;
    const std::string id = get_spec_constant_symbolic_ID<S>();
    if (std::find(asked_.begin(), asked_.end(), id) != asked_.end())
      throw runtime_error(errc::invalid, "the placeholder of constant " + id +
                                             " is made once in a command group, by "
                                             "set_spec_constant or get_spec_constant; this is the "
                                             "second call");
    asked_.push_back(id);
    if (value) {
      set(id, value, sizeof *value);
      return placeholder_access::make<type, S>(*value);
    }
    const entry *there = find(id);
    return placeholder_access::make<type, S>(there ? value_of<type>(there->bytes.data())
                                                   : constant_default<S>());
  }

private:
  std::vector<std::string> asked_;
};

} // namespace sycl::detail

#endif
