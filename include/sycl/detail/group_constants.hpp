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
  /* The one placeholder of an id, which sets the value, or does not change it. */
  template <auto &S>
  spec_constant<constant_type<S>, S> set_placeholder(const constant_type<S> &value) {
    const std::string id = ask<S>();
    const constant_type<S> &first = constant_default<S>();
    const auto *bytes = reinterpret_cast<const unsigned char *>(&first);
    set(id, &value, sizeof value);
    defaults_.push_back({id, {bytes, bytes + sizeof value}});
    return placeholder_access::make<constant_type<S>, S>(value);
  }
  template <auto &S> spec_constant<constant_type<S>, S> placeholder(const constant_type<S> &value) {
    ask<S>();
    return placeholder_access::make<constant_type<S>, S>(value);
  }
  /* The defaults of those that set_placeholder set. */
  const std::vector<entry> &defaults() const noexcept {
    return defaults_;
  }

private:
  /* Counts the placeholders, and gives the id. */
  template <auto &S> std::string ask() {
    const std::string id = get_spec_constant_symbolic_ID<S>();
    if (std::find(asked_.begin(), asked_.end(), id) != asked_.end())
      throw runtime_error(errc::invalid, "the placeholder of constant " + id +
                                             " is made once in a command group, by "
                                             "set_spec_constant or get_spec_constant; this is the "
                                             "second call");
    asked_.push_back(id);
    return id;
  }

  std::vector<entry> defaults_;
  std::vector<std::string> asked_;
};

} // namespace sycl::detail

#endif
