/*
 * The constants of a command group's kernel: the values set through a handler, by SYCL 2020 or the
 * proposals, and the placeholders of the proposals. SYCL Modules, "Retrieving a
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
    const void *value; /* points into the id variable */
    std::size_t size;
  };

  /*
   * Both return the placeholder of a constant, which a group can get once. Only set_placeholder
   * sets the value.
   */
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
  /* The defaults of the constants that set_placeholder set. */
  const few<default_value, 8> &defaults() const noexcept {
    return defaults_;
  }

private:
  /* Returns the constant's id; throws if the group has its placeholder already. */
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
