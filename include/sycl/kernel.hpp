// kernel: SYCL 2020, 4.11.13: a kernel of a built program, bundle or module.
#ifndef SYCL_KERNEL_HPP
#define SYCL_KERNEL_HPP

#include <sycl/context.hpp>
#include <sycl/detail/kernel_cache.hpp>

#include <memory>

namespace sycl {

enum class bundle_state { input, object, executable };
template <bundle_state State> class kernel_bundle;

namespace detail {
struct kernel_bundle_impl;
}

/* Common reference semantics. Any thread may use it. */
class kernel {
public:
  /* Kernels with other images are not equal, so each module, bundle and program has its own. */
  kernel(context of, detail::device_images images, std::string name,
         std::shared_ptr<const detail::constant_values> program_values = {},
         std::shared_ptr<detail::kernel_bundle_impl> bundle = {});

  context get_context() const {
    return impl_->of;
  }
  backend get_backend() const noexcept;
  /* The bundle that the kernel came from; for a kernel of a module or program, a bundle of the
   * kernel's images. */
  kernel_bundle<bundle_state::executable> get_kernel_bundle() const;
  bool is_host() const noexcept;
  /*
   * function_name: the kernel's name in device images. num_args: the number of arguments that
   * handler::set_arg has to set; for a kernel from a function object, which SYCL passes itself, the
   * number of the device function's arguments. invalid_object_error: the kernel is of the host
   * device and has no code.
   */
  template <class Query> typename Query::return_type get_info() const {
    return ask(Query{});
  }
  /*
   * For queries of info::kernel_device_specific; SYCL 1.2.1 calls it get_work_group_info. The host
   * device gives the same answers for all kernels. invalid_object_error: the kernel has no code for
   * that device.
   */
  template <class Query> typename Query::return_type get_info(const device &on) const {
    return ask(Query{}, is_host() && on.is_host() ? on_host() : built_for(on).info);
  }
  template <class Query> typename Query::return_type get_work_group_info(const device &on) const {
    return get_info<Query>(on);
  }

  const std::string &name() const noexcept {
    return impl_->name;
  }
  const detail::device_images &images() const noexcept {
    return impl_->images;
  }
  /* The constants that the kernel's program or bundle was built with; NULL for other kernels. */
  const std::shared_ptr<const detail::constant_values> &program_values() const noexcept {
    return impl_->program_values;
  }
  friend bool operator==(const kernel &a, const kernel &b) noexcept {
    return a.impl_ == b.impl_ ||
           (a.name() == b.name() && a.images() == b.images() && a.impl_->of == b.impl_->of);
  }
  friend bool operator!=(const kernel &a, const kernel &b) noexcept {
    return !(a == b);
  }

private:
  struct state {
    context of;
    detail::device_images images;
    std::string name;
    std::shared_ptr<const detail::constant_values> program_values;
    std::shared_ptr<detail::kernel_bundle_impl> bundle; /* NULL if the kernel is not of a bundle */
  };

  static specpi_kernel_info on_host() noexcept;
  detail::built_kernel built_for(const device &on) const;
  std::string ask(info::kernel::function_name) const {
    return name();
  }
  std::uint32_t ask(info::kernel::num_args) const;
  context ask(info::kernel::context) const {
    return impl_->of;
  }
  static std::size_t ask(info::kernel_device_specific::work_group_size,
                         const specpi_kernel_info &info) noexcept {
    return info.group_size;
  }
  static range<3> ask(info::kernel_device_specific::compile_work_group_size,
                      const specpi_kernel_info &info) noexcept;
  static std::size_t ask(info::kernel_device_specific::preferred_work_group_size_multiple,
                         const specpi_kernel_info &info) noexcept {
    return info.preferred_multiple;
  }
  static std::uint64_t ask(info::kernel_device_specific::private_mem_size,
                           const specpi_kernel_info &info) noexcept {
    return info.private_memory;
  }
  static std::uint64_t ask(info::kernel_device_specific::local_mem_size,
                           const specpi_kernel_info &info) noexcept {
    return info.local_memory;
  }

  std::shared_ptr<const state> impl_;
};

} // namespace sycl

template <> struct std::hash<sycl::kernel> {
  std::size_t operator()(const sycl::kernel &k) const noexcept {
    return std::hash<std::string>()(k.name());
  }
};

#endif
