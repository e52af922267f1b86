/*
 * The few declarations of DPC++ 2024.2's libsycl.so.7 which a client needs that hands it a
 * device image, sets specialization constants and builds. No SYCL header is installed with
 * the runtime; the names and signatures below are those of its exported symbols. Each class
 * is one std::shared_ptr to an implementation that only libsycl knows.
 */
#ifndef SPECPI_TEST_SYCL_ABI_H
#define SPECPI_TEST_SYCL_ABI_H

#include <pi/pi.h>

#include <bitset>
#include <exception>
#include <memory>
#include <string>
#include <vector>

/* These classes are libsycl's, so their type information is too. */
#pragma GCC visibility push(default)

extern "C" {
/* Makes the images known. They, and all they point to, must stay until the process ends. */
void __sycl_register_lib(pi_device_binaries images);
void __sycl_unregister_lib(pi_device_binaries images);
}

namespace sycl {
inline namespace _V1 {

enum class bundle_state : char { input = 0, object = 1, executable = 2 };

namespace detail {
class device_impl;
class context_impl;
class kernel_impl;
class kernel_id_impl;
class kernel_bundle_impl;
class PropertyWithDataBase;
} // namespace detail

/*
 * The exception of libsycl; only libsycl makes one. what() holds the plugin's number, and its name
 * if it has one.
 */
class exception : public virtual std::exception {
public:
  const char *what() const noexcept final;
  /* The pi_result after the exception, 0 when there is none. */
  int get_cl_code() const;
};

class device {
  std::shared_ptr<detail::device_impl> impl;
};

class context {
  std::shared_ptr<detail::context_impl> impl;
};

class kernel_id {
  std::shared_ptr<detail::kernel_id_impl> impl;
};

/* An empty list is all that this client passes. */
class property_list {
  std::bitset<32> without_data;
  std::vector<std::shared_ptr<detail::PropertyWithDataBase>> with_data;
};

class kernel {
  std::shared_ptr<detail::kernel_impl> impl;
};

namespace detail {
/* Kinds of a kernel's arguments for libsycl; this client adds only the buffer. */
enum class kernel_param_kind_t { specialization_constants_buffer = 4 };
} // namespace detail

/* A command while it is made. Only libsycl knows what is in it. */
class handler {
public:
  /* Takes what set_arg left. See support/launch.cpp. */
  void extractArgsAndReqs();
  void setHandlerKernelBundle(const std::shared_ptr<detail::kernel_bundle_impl> &bundle);
  void processArg(void *value, const detail::kernel_param_kind_t &kind, int size, size_t index,
                  size_t &shift, bool from_source, bool is_esimd);
};

namespace detail {

class kernel_bundle_plain {
public:
  explicit kernel_bundle_plain(std::shared_ptr<kernel_bundle_impl> implementation)
      : impl(std::move(implementation)) {}

  const std::shared_ptr<kernel_bundle_impl> &implementation() const {
    return impl;
  }

  kernel get_kernel(const kernel_id &id) const;
  bool has_specialization_constant_impl(const char *name) const noexcept;
  bool is_specialization_constant_set(const char *name) const noexcept;
  bool native_specialization_constant() const noexcept;
  /* value holds as many bytes as the constant has; libsycl copies them. */
  void set_specialization_constant_impl(const char *name, void *value, size_t size) noexcept;
  void get_specialization_constant_impl(const char *name, void *value) const noexcept;

private:
  std::shared_ptr<kernel_bundle_impl> impl;
};

} // namespace detail

template <bundle_state State> class kernel_bundle : public detail::kernel_bundle_plain {
public:
  using kernel_bundle_plain::kernel_bundle_plain;
};

namespace detail {

kernel_id get_kernel_id_impl(std::string name);
std::shared_ptr<kernel_bundle_impl> get_kernel_bundle_impl(const context &in,
                                                           const std::vector<device> &devices,
                                                           const std::vector<kernel_id> &kernels,
                                                           bundle_state state);
std::shared_ptr<kernel_bundle_impl> build_impl(const kernel_bundle<bundle_state::input> &bundle,
                                               const std::vector<device> &devices,
                                               const property_list &properties);

} // namespace detail
} // namespace _V1
} // namespace sycl

#pragma GCC visibility pop

#endif
