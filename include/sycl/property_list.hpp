// property_list: SYCL 2020, 4.5.4, and the properties of queues, 4.6.5.2.
#ifndef SYCL_PROPERTY_LIST_HPP
#define SYCL_PROPERTY_LIST_HPP

#include <sycl/detail/few.hpp>
#include <sycl/exception.hpp>

#include <any>
#include <type_traits>

namespace sycl {

namespace detail {
struct property_base {};
} // namespace detail

namespace property::queue {
/* Commands run in the order in which they are submitted. */
struct in_order : detail::property_base {};
/* Events report the times of their commands. */
struct enable_profiling : detail::property_base {};
} // namespace property::queue

/* True for classes that derive from detail::property_base. */
template <class T> struct is_property : std::is_base_of<detail::property_base, T> {};
template <class T> inline constexpr bool is_property_v = is_property<T>::value;

/* The properties that an object is made with, each at most one time. */
class property_list {
public:
  template <class... P, class = std::enable_if_t<(is_property_v<std::decay_t<P>> && ...)>>
  property_list(const P &...properties) {
    (all_.push_back(properties), ...);
  }

  template <class P> bool has_property() const noexcept {
    return find<P>() != nullptr;
  }
  /* errc::invalid: the list does not have the property. */
  template <class P> P get_property() const {
    if (const P *property = find<P>())
      return *property;
    throw exception(errc::invalid, "the object was made without the property that is asked for");
  }

private:
  template <class P> const P *find() const noexcept {
    static_assert(is_property_v<P>, "has_property and get_property take a property");
    for (const std::any &property : all_)
      if (const P *found = std::any_cast<P>(&property))
        return found;
    return nullptr;
  }

  detail::few<std::any, 2> all_;
};

} // namespace sycl

#endif
