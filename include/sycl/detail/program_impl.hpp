/*
 * The state that copies of a program share: its stage, the images, the constants. SYCL 1.2.1,
 * 4.8.5.
 */
#ifndef SYCL_DETAIL_PROGRAM_IMPL_HPP
#define SYCL_DETAIL_PROGRAM_IMPL_HPP

#include <sycl/context.hpp>
#include <sycl/detail/opencl_image.hpp>
#include <sycl/detail/program_constants.hpp>
#include <sycl/kernel.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sycl {

enum class program_state { none, compiled, linked };

namespace detail {

/* The images of one step, one for each device but the host device, and the requests that they were
 * made for. */
struct program_part {
  struct request {
    std::string kernel; /* "" for all kernels */
    std::shared_ptr<const constant_values> values;
  };
  device_images images;
  std::vector<request> requests;

  bool has(const std::string &kernel) const;
  const request *asked(const std::string &kernel) const noexcept;
};

class program_impl {
public:
  program_impl(context in, std::vector<device> devices);
  /* Links compiled programs. */
  program_impl(const std::vector<std::shared_ptr<program_impl>> &compiled,
               const std::string &options);

  /* Makes a program from a cl_program that was compiled, linked or built. */
  program_impl(context in, void *native);

  const context &in() const noexcept {
    return in_;
  }
  const std::vector<device> &devices() const noexcept {
    return devices_;
  }
  program_state state() const;
  std::string compile_options() const;
  std::string link_options() const;
  std::string build_options() const;

  void set(program_constant constant);

  /* make(device) returns a new input image for each device but the host device. */
  template <class Make>
  void compile(const std::string &kernel, const std::string &subject, const std::string &options,
               const Make &make) {
    const std::lock_guard<std::mutex> lock(mutex_);
    parts_ = {step(kernel, subject, options, make, specpiBundleCompile)};
    compile_options_ = options;
    subject_ = subject;
    state_ = program_state::compiled;
  }
  template <class Make>
  void build(const std::string &kernel, const std::string &subject, const std::string &options,
             const Make &make) {
    const std::lock_guard<std::mutex> lock(mutex_);
    parts_ = {step(kernel, subject, options, make, specpiBundleBuild)};
    build_options_ = options;
    subject_ = subject;
    state_ = program_state::linked;
  }
  void link(const std::string &options);

  bool has_kernel(const std::string &name) const;
  kernel get_kernel(const std::string &name) const;
  /* The program's one image. invalid_object_error: it is in state none, or has several. */
  device_image_ptr only_image() const;
  /* A binary for each image. */
  std::vector<std::vector<char>> binaries() const;
  /* Returns whether constants are part of the code in the images; in state none, whether they would
   * be in the unit's input images. */
  bool native_constants(const char *unit) const;

private:
  static std::vector<char> binary(const device_image_impl &of);
  static bool are_native(const device_images &images);
  static const program_impl &front(const std::vector<std::shared_ptr<program_impl>> &compiled);
  void need(program_state state, const std::string &why) const;

  template <class Make>
  program_part step(const std::string &kernel, const std::string &subject,
                    const std::string &options, const Make &make, bundle_step next) const {
    need(program_state::none, "to compile or build " + subject);
    program_part part;
    part.requests.push_back({kernel, std::make_shared<constant_values>(constants_.named())});
    for (const device &d : devices_) {
      if (d.is_host()) {
        constants_.check_for_host(kernel, subject);
        continue;
      }
      const device_image_ptr input = make(d);
      constants_.apply(*input, kernel, subject);
      bundle_reference made;
      const specpi_result result = next(input->bundle(), options.c_str(), made.out());
      if (result == SPECPI_ERROR_NO_VALUE)
        throw experimental::spec_const_error(subject +
                                             " lacks a constant's value: " + specpiGetLastError());
      check(result, subject);
      part.images.push_back(std::make_shared<device_image_impl>(d, std::move(made)));
    }
    return part;
  }

  /*
   * Links objects. Programs compiled from one unit all have the unit's kernels, each program with
   * its own constants. Objects with kernels in common are therefore linked separately, and a kernel
   * is taken from the part that was compiled for it.
   */
  std::vector<program_part> link(const std::vector<program_part> &objects,
                                 const std::string &options) const;
  static bool overlap(const program_part &a, const program_part &b);
  program_part link_group(const std::vector<const program_part *> &group,
                          const std::string &options) const;

  mutable std::mutex mutex_;
  context in_;
  std::vector<device> devices_;
  program_state state_ = program_state::none;
  program_constants constants_;
  std::vector<program_part> parts_;
  std::string subject_ = "the program";
  std::string compile_options_;
  std::string link_options_;
  std::string build_options_;
};

} // namespace detail

} // namespace sycl

#endif
