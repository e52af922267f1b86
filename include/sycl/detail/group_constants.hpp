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

namespace sycl::detail {

class group_constants : public constant_values {
public:
  struct default_value {
    symbolic_id id;
    const void *value; /* in the id variable */
    std::size_t size;
  };

  /* The one placeholder of an id, which sets the value, or does not change it. */
  template <auto &S>
  spec_constant<constant_type<S>, S> set_placeholder(const constant_type<S> &value) {
    const symbolic_id &id = ask<S>();
    set(id, &value, sizeof value);
    defaults_.push_back({id, &constant_default<S>(), sizeof value});
    return placeholder_access::make<constant_type<S>, S>(value);
  }
  template <auto &S> spec_constant<constant_type<S>, S> placeholder(const constant_type<S> &value) {
    ask<S>();
    return placeholder_access::make<constant_type<S>, S>(value);
  }
  /* The defaults of those that set_placeholder set. */
  const few<default_value, 8> &defaults() const noexcept {
    return defaults_;
  }

private:
  /* Counts the placeholders, and gives the id. */
  template <auto &S> const symbolic_id &ask() {
    const symbolic_id &id = id_of<S>();
    if (std::find(asked_.begin(), asked_.end(), id) != asked_.end())
      throw runtime_error(errc::invalid, std::string("the placeholder of constant ") + id.c_str() +
                                             " is made once in a command group, by "
                                             "set_spec_constant or get_spec_constant; this is the "
                                             "second call");
    asked_.push_back(id);
    return id;
  }

  few<default_value, 8> defaults_;
  few<symbolic_id, 8> asked_;
};

} // namespace sycl::detail

#endif
