// kernel_id: identifies a kernel of the application. SYCL 2020, 4.11.4 and 4.11.5.
#ifndef SYCL_KERNEL_ID_HPP
#define SYCL_KERNEL_ID_HPP

#include <sycl/detail/entry.hpp>
#include <sycl/detail/unit.hpp>

namespace sycl {

namespace detail {
struct kernel_id_access;
}

/* Any thread may use it; a copy is the same. */
class kernel_id {
public:
  /* "_ZTS" and the mangled name of the type that names the kernel; valid as long as this id or a
   * copy. */
  const char *get_name() const noexcept;
  friend bool operator==(const kernel_id &a, const kernel_id &b) noexcept {
    return a.names_ == b.names_ || *a.names_ == *b.names_;
  }
  friend bool operator!=(const kernel_id &a, const kernel_id &b) noexcept {
    return !(a == b);
  }

private:
  friend struct detail::kernel_id_access;
  /* The kernel's name, and its unit; "" if the name stands for the same kernel in all units. */
  using names = std::pair<std::string, std::string>;
  explicit kernel_id(names both);
  std::shared_ptr<const names> names_;
};

namespace detail {

struct kernel_id_access {
  static kernel_id make(const std::string &name, const std::string &unit);
  static const std::string &unit(const kernel_id &id) noexcept;
};

/* Returns whether an image has the kernel. */
bool has_kernel(const device_image_impl &image, const kernel_id &id);

} // namespace detail

/*
 * The id of the kernel that a type names, or whose function object is of the type. The kernel need
 * not exist; functions that use the id then report that.
 */
template <class KernelName> kernel_id get_kernel_id() {
  return detail::kernel_id_access::make(detail::kernel_name<KernelName>(), detail::this_unit());
}

/*
 * The ids of all kernels of the application, without repetitions: the kernels in the registered
 * device images of SYCL units.
 */
std::vector<kernel_id> get_kernel_ids();

} // namespace sycl

template <> struct std::hash<sycl::kernel_id> {
  std::size_t operator()(const sycl::kernel_id &id) const noexcept {
    return std::hash<std::string_view>()(id.get_name());
  }
};

#endif
