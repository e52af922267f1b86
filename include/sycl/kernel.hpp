// kernel: SYCL 2020, 4.11.14: a kernel of a program, bundle or module that was built.
#ifndef SYCL_KERNEL_HPP
#define SYCL_KERNEL_HPP

#include <sycl/context.hpp>

namespace sycl {

class kernel {
public:
  /* source tells kernels of one module, bundle or program from others'. */
  kernel(context of, detail::device_images images, std::string name,
         std::shared_ptr<const detail::constant_values> program_values = {})
      : context_(std::move(of)), images_(std::move(images)), name_(std::move(name)),
        program_values_(std::move(program_values)) {}

  context get_context() const {
    return context_;
  }
  const std::string &name() const noexcept {
    return name_;
  }
  const detail::device_images &images() const noexcept {
    return images_;
  }
  /* The constants that its program was built with; none where it is not of a program. */
  const std::shared_ptr<const detail::constant_values> &program_values() const noexcept {
    return program_values_;
  }
  friend bool operator==(const kernel &a, const kernel &b) noexcept {
    return a.name_ == b.name_ && a.images_ == b.images_;
  }
  friend bool operator!=(const kernel &a, const kernel &b) noexcept {
    return !(a == b);
  }

private:
  context context_;
  detail::device_images images_;
  std::string name_;
  std::shared_ptr<const detail::constant_values> program_values_;
};

} // namespace sycl

#endif
