/*
 * A SYCL program's view of a device: a context, a queue and memory from dpctl's C library, and
 * kernel bundles from libsycl itself. The plugin that serves all of it is whatever libsycl
 * found; see plugin_in_use.h.
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

/* One kernel argument. A USM pointer, or a value which the argument refers to. */
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

/* Work-items per dimension in OpenCL's order: the first is that of get_global_id(0). */
using range = std::array<size_t, 3>;

/* A kernel of a built bundle, ready to be launched. */
class built_kernel {
public:
  built_kernel(const session &on, const sycl::detail::kernel_bundle_plain &its_bundle,
               const char *name);

  /* Launches and waits. Throws std::runtime_error when dpctl reports a failure. */
  void run(const std::vector<argument> &arguments, const range &global) const;
  void run(const std::vector<argument> &arguments, const range &global, const range &local) const;

private:
  DPCTLSyclEventRef submit(const std::vector<argument> &arguments, const range &global,
                           const range *local) const;

  const session *session_of;
  std::shared_ptr<sycl::detail::kernel_bundle_impl> bundle;
  bool native; /* else libsycl passes the buffer of the constants */
  sycl::kernel kernel;
};

/* The executable form of a bundle. */
class built_bundle {
public:
  built_bundle(const session &on, sycl::kernel_bundle<sycl::bundle_state::executable> executable);
  built_kernel kernel(const char *name) const;
  /* The value that the executable was built with. */
  template <class T> T get(const char *name) const {
    T value;
    bundle.get_specialization_constant_impl(name, &value);
    return value;
  }

private:
  const session *session_of;
  sycl::kernel_bundle<sycl::bundle_state::executable> bundle;
};

/* A bundle in the state input: the one in which constants are set. */
class input_bundle {
public:
  /* All of the images which hold one of the kernels. */
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
  /* True when the backend takes constants itself, false when libsycl passes a buffer. */
  bool native() const {
    return bundle.native_specialization_constant();
  }
  /* Throws sycl::exception when the plugin refuses. */
  built_bundle build() const;

private:
  const session *session_of;
  sycl::kernel_bundle<sycl::bundle_state::input> bundle;
};

/* A default device with a context and a queue of its own. */
class session {
public:
  session();
  session(const session &) = delete;
  session &operator=(const session &) = delete;
  ~session();

  const sycl::context &context() const;
  const sycl::device &device() const;
  std::string device_name() const;
  /* The name of the backend that the device's platform reports, as in ONEAPI_DEVICE_SELECTOR. */
  std::string backend_name() const;

  /* Shared USM memory, all zero; throws when there is none. To be freed with release. */
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
