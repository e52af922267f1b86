// kernel_id: names a kernel of the application. SYCL 2020, 4.11.4 and 4.11.5.
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
  /* "_ZTS" and the mangled name of the type that names the kernel. As long as this id or a copy. */
  const char *get_name() const noexcept {
    return names_->first.c_str();
  }
  friend bool operator==(const kernel_id &a, const kernel_id &b) noexcept {
    return a.names_ == b.names_ || *a.names_ == *b.names_;
  }
  friend bool operator!=(const kernel_id &a, const kernel_id &b) noexcept {
    return !(a == b);
  }

private:
  friend struct detail::kernel_id_access;
  /* The kernel's name, and its unit or "" when all units mean the same kernel by it. */
  using names = std::pair<std::string, std::string>;
  explicit kernel_id(names both) : names_(std::make_shared<const names>(std::move(both))) {}
  std::shared_ptr<const names> names_;
};

namespace detail {

struct kernel_id_access {
  static kernel_id make(const std::string &name, const std::string &unit) {
    return kernel_id({without_marks(name), is_of_one_unit(name) ? unit : std::string()});
  }
  static const std::string &unit(const kernel_id &id) noexcept {
    return id.names_->second;
  }
};

/* Whether an image has the kernel. */
inline bool has_kernel(const device_image_impl &image, const kernel_id &id) {
  const std::string &unit = kernel_id_access::unit(id);
  return image.has_kernel(id.get_name()) && (unit.empty() || image.is_of(unit));
}

} // namespace detail

/*
 * The id of the kernel that a type names, or of the kernel that is a function object of
 * the type. What can be done with the id of a kernel that does not exist says so.
 */
template <class KernelName> kernel_id get_kernel_id() {
  return detail::kernel_id_access::make(detail::kernel_name<KernelName>(), detail::this_unit());
}

/*
 * The ids of all kernels of the application, each once: those in the registered device images that
 * come from SYCL units.
 */
inline std::vector<kernel_id> get_kernel_ids() {
  std::vector<kernel_id> ids;
  for (specpi_image image : detail::registered_images()) {
    const std::string unit = detail::unit_of(image);
    if (unit.empty())
      continue;
    for (const char *name : detail::list<const char *>(specpiImageGetKernels, image)) {
      const kernel_id id = detail::kernel_id_access::make(name, unit);
      if (std::find(ids.begin(), ids.end(), id) == ids.end())
        ids.push_back(id);
    }
  }
  return ids;
}

} // namespace sycl

template <> struct std::hash<sycl::kernel_id> {
  std::size_t operator()(const sycl::kernel_id &id) const noexcept {
    return std::hash<std::string_view>()(id.get_name());
  }
};

#endif
