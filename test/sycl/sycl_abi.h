/*
 * The declarations of DPC++ 2024.2's libsycl.so.7 that a client needs to register device images, to
 * set specialization constants and to build. The runtime comes without SYCL headers; the names and
 * signatures here are those of its exported symbols. Each class is a std::shared_ptr to an
 * implementation that only libsycl knows.
 */
#ifndef SPECPI_TEST_SYCL_ABI_H
#define SPECPI_TEST_SYCL_ABI_H

#include <pi/pi.h>

#include <bitset>
#include <exception>
#include <memory>
#include <string>
#include <vector>

/* The classes' type information comes from libsycl, too. */
#pragma GCC visibility push(default)

extern "C" {
/* Registers images. They, and all that they point to, must stay until the process ends. */
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
 * libsycl's exception; only libsycl creates one. what() has the number of the plugin's error, and
 * its name if it has one.
 */
class exception : public virtual std::exception {
public:
  const char *what() const noexcept final;
  /* Returns the pi_result that caused the exception, or 0. */
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

/* This client only passes empty lists. */
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

/* A command under construction. Only libsycl knows its members. */
class handler {
public:
  /* Processes the arguments set by set_arg; see support/launch.cpp. */
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
  /* Sets a constant. size is the constant's size; libsycl copies the bytes. */
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
