/*
 * A device with a context, a queue and memory from dpctl's C library, and kernel bundles from
 * libsycl itself. libsycl chooses the plugin; see plugin_in_use.h.
 */
#ifndef SPECPI_TEST_SYCL_SESSION_H
#define SPECPI_TEST_SYCL_SESSION_H

#include "../sycl_abi.h"
#include "device_library.h"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include <dpctl_sycl_enum_types.h>
#include <dpctl_sycl_types.h>

namespace specpi_test {

class session;

/* A kernel argument: a USM pointer, or a reference to a value. */
class argument {
public:
  argument(void *usm_pointer) : data(usm_pointer), type(DPCTL_VOID_PTR) {}
  argument(const int32_t &value) : argument(value, DPCTL_INT32_T) {}
  argument(const uint32_t &value) : argument(value, DPCTL_UINT32_T) {}
  argument(const float &value) : argument(value, DPCTL_FLOAT32_T) {}

private:
  friend class built_kernel;
  template <class T>
  argument(const T &value, DPCTLKernelArgType its_type)
      : storage(bytes_of(value)), data(nullptr), type(its_type) {}

  bytes storage;
  void *data;
  DPCTLKernelArgType type;
};

/* Work-items per dimension in OpenCL's order: the first is the dimension of get_global_id(0). */
using range = std::array<size_t, 3>;

/* A kernel of a built bundle, ready to be launched. */
class built_kernel {
public:
  built_kernel(const session &on, const sycl::detail::kernel_bundle_plain &its_bundle,
               const char *name);

  /* Launches the kernel and waits. Throws std::runtime_error if dpctl reports a failure. */
  void run(const std::vector<argument> &arguments, const range &global) const;
  void run(const std::vector<argument> &arguments, const range &global, const range &local) const;

private:
  DPCTLSyclEventRef submit(const std::vector<argument> &arguments, const range &global,
                           const range *local) const;

  const session *session_of;
  std::shared_ptr<sycl::detail::kernel_bundle_impl> bundle;
  bool native; /* false if libsycl passes a buffer of constants */
  sycl::kernel kernel;
};

/* The executable form of a bundle. */
class built_bundle {
public:
  built_bundle(const session &on, sycl::kernel_bundle<sycl::bundle_state::executable> executable);
  built_kernel kernel(const char *name) const;
  /* Returns a constant's value in this build. */
  template <class T> T get(const char *name) const {
    T value;
    bundle.get_specialization_constant_impl(name, &value);
    return value;
  }

private:
  const session *session_of;
  sycl::kernel_bundle<sycl::bundle_state::executable> bundle;
};

/* A bundle in the state input, in which constants can be set. */
class input_bundle {
public:
  /* Creates a bundle of all images that have one of the kernels. */
  input_bundle(const session &on, const std::vector<const char *> &kernels);

  template <class T> void set(const char *name, T value) {
    bundle.set_specialization_constant_impl(name, &value, sizeof value);
  }
  void set_bytes(const char *name, bytes value) {
    bundle.set_specialization_constant_impl(name, value.data(), value.size());
  }
  template <class T> T get(const char *name) const {
    T value;
    bundle.get_specialization_constant_impl(name, &value);
    return value;
  }
  bytes get_bytes(const char *name, size_t size) const;
  bool has(const char *name) const {
    return bundle.has_specialization_constant_impl(name);
  }
  bool is_set(const char *name) const {
    return bundle.is_specialization_constant_set(name);
  }
  /* Returns whether the backend sets constants itself; otherwise libsycl passes a buffer. */
  bool native() const {
    return bundle.native_specialization_constant();
  }
  /* Throws sycl::exception if the plugin refuses. */
  built_bundle build() const;

private:
  const session *session_of;
  sycl::kernel_bundle<sycl::bundle_state::input> bundle;
};

/* The default device, with a context and a queue of its own. */
class session {
public:
  session();
  session(const session &) = delete;
  session &operator=(const session &) = delete;
  ~session();

  const sycl::context &context() const;
  const sycl::device &device() const;
  std::string device_name() const;
  /* Returns the backend of the device's platform, as in ONEAPI_DEVICE_SELECTOR. */
  std::string backend_name() const;

  /* Allocates zeroed shared USM memory, for release to free. Throws on failure. */
  void *allocate(size_t size) const;
  void release(void *memory) const;

private:
  friend class built_kernel;
  DPCTLSyclDeviceRef device_ref;
  DPCTLSyclContextRef context_ref;
  DPCTLSyclQueueRef queue_ref;
};

/* An array in shared USM memory. */
template <class T> class usm_array {
public:
  usm_array(const session &on, size_t count)
      : session_of(on), values(static_cast<T *>(on.allocate(count * sizeof(T)))) {}
  usm_array(const usm_array &) = delete;
  usm_array &operator=(const usm_array &) = delete;
  ~usm_array() {
    session_of.release(values);
  }

  T *data() const {
    return values;
  }
  T &operator[](size_t index) const {
    return values[index];
  }

private:
  const session &session_of;
  T *values;
};

} // namespace specpi_test

#endif
