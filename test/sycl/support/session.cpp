#include "session.h"

#include "launch.h"

#include <cstring>

#include <dpctl_sycl_context_interface.h>
#include <dpctl_sycl_device_interface.h>
#include <dpctl_sycl_event_interface.h>
#include <dpctl_sycl_kernel_interface.h>
#include <dpctl_sycl_queue_interface.h>
#include <dpctl_sycl_usm_interface.h>
#include <dpctl_utils.h>

namespace specpi_test {
namespace {

/* Returns the SYCL object that a reference of dpctl points to. */
template <class T, class Ref> T &object(Ref reference) {
  return *reinterpret_cast<T *>(reference);
}

template <class T> T required(T result, const char *call) {
  if (!result)
    throw std::runtime_error(std::string(call) + " failed");
  return result;
}

} // namespace

session::session()
    : device_ref(required(DPCTLDevice_Create(), "DPCTLDevice_Create")),
      context_ref(required(DPCTLContext_Create(device_ref, nullptr, 0), "DPCTLContext_Create")),
      queue_ref(
          required(DPCTLQueue_Create(context_ref, device_ref, nullptr, 0), "DPCTLQueue_Create")) {}

session::~session() {
  DPCTLQueue_Delete(queue_ref);
  DPCTLContext_Delete(context_ref);
  DPCTLDevice_Delete(device_ref);
}

const sycl::context &session::context() const {
  return object<sycl::context>(context_ref);
}

const sycl::device &session::device() const {
  return object<sycl::device>(device_ref);
}

std::string session::device_name() const {
  const char *name = required(DPCTLDevice_GetName(device_ref), "DPCTLDevice_GetName");
  std::string result = name;
  DPCTLCString_Delete(name);
  return result;
}

std::string session::backend_name() const {
  switch (DPCTLDevice_GetBackend(device_ref)) {
  case DPCTL_OPENCL:
    return "opencl";
  case DPCTL_LEVEL_ZERO:
    return "level_zero";
  case DPCTL_CUDA:
    return "cuda";
  default:
    return "another backend";
  }
}

void *session::allocate(size_t size) const {
  void *memory = required(DPCTLmalloc_shared(size, queue_ref), "DPCTLmalloc_shared");
  std::memset(memory, 0, size);
  return memory;
}

void session::release(void *memory) const {
  DPCTLfree_with_queue(static_cast<DPCTLSyclUSMRef>(memory), queue_ref);
}

input_bundle::input_bundle(const session &on, const std::vector<const char *> &kernels)
    : session_of(&on), bundle([&] {
        std::vector<sycl::kernel_id> ids;
        ids.reserve(kernels.size());
        for (const char *name : kernels)
          ids.push_back(sycl::detail::get_kernel_id_impl(name));
        return sycl::detail::get_kernel_bundle_impl(on.context(), {on.device()}, ids,
                                                    sycl::bundle_state::input);
      }()) {}

bytes input_bundle::get_bytes(const char *name, size_t size) const {
  bytes value(size);
  bundle.get_specialization_constant_impl(name, value.data());
  return value;
}

built_bundle input_bundle::build() const {
  return {*session_of, sycl::kernel_bundle<sycl::bundle_state::executable>(sycl::detail::build_impl(
                           bundle, {session_of->device()}, sycl::property_list()))};
}

built_bundle::built_bundle(const session &on,
                           sycl::kernel_bundle<sycl::bundle_state::executable> executable)
    : session_of(&on), bundle(std::move(executable)) {}

built_kernel built_bundle::kernel(const char *name) const {
  return {*session_of, bundle, name};
}

built_kernel::built_kernel(const session &on, const sycl::detail::kernel_bundle_plain &its_bundle,
                           const char *name)
    : session_of(&on), bundle(its_bundle.implementation()),
      native(its_bundle.native_specialization_constant()),
      kernel(its_bundle.get_kernel(sycl::detail::get_kernel_id_impl(name))) {}

DPCTLSyclEventRef built_kernel::submit(const std::vector<argument> &arguments, const range &global,
                                       const range *local) const {
  std::vector<void *> values;
  std::vector<DPCTLKernelArgType> types;
  for (const argument &each : arguments) {
    values.push_back(each.storage.empty() ? each.data
                                          : const_cast<unsigned char *>(each.storage.data()));
    types.push_back(each.type);
  }
  auto *reference = reinterpret_cast<DPCTLSyclKernelRef>(const_cast<sycl::kernel *>(&kernel));
  /* All tested kernels read constants, so that the buffer is always the next argument. */
  const int buffer = native ? -1 : static_cast<int>(arguments.size());
  const launch_of_bundle scope(bundle, buffer);
  /* SYCL has the dimensions in reverse order. */
  const size_t sycl_global[3] = {global[2], global[1], global[0]};
  if (!local)
    return DPCTLQueue_SubmitRange(reference, session_of->queue_ref, values.data(), types.data(),
                                  values.size(), sycl_global, 3, nullptr, 0);
  const size_t sycl_local[3] = {(*local)[2], (*local)[1], (*local)[0]};
  return DPCTLQueue_SubmitNDRange(reference, session_of->queue_ref, values.data(), types.data(),
                                  values.size(), sycl_global, sycl_local, 3, nullptr, 0);
}

static void finish(DPCTLSyclEventRef event) {
  DPCTLEvent_Wait(required(event, "dpctl's submit"));
  DPCTLEvent_Delete(event);
}

void built_kernel::run(const std::vector<argument> &arguments, const range &global) const {
  finish(submit(arguments, global, nullptr));
}

void built_kernel::run(const std::vector<argument> &arguments, const range &global,
                       const range &local) const {
  finish(submit(arguments, global, &local));
}

} // namespace specpi_test
