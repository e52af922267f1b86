#include "launch.h"

#include <stdexcept>

#include <dlfcn.h>

namespace specpi_test {
namespace {

thread_local const launch_of_bundle *current;

} // namespace

launch_of_bundle::launch_of_bundle(const std::shared_ptr<sycl::detail::kernel_bundle_impl> &bundle,
                                   int buffer_argument)
    : bundle_of(bundle), argument(buffer_argument) {
  current = this;
}

launch_of_bundle::~launch_of_bundle() {
  current = nullptr;
}

void launch_of_bundle::complete(sycl::handler &command) const {
  command.setHandlerKernelBundle(bundle_of);
  size_t shift = 0;
  if (argument >= 0)
    command.processArg(nullptr, sycl::detail::kernel_param_kind_t::specialization_constants_buffer,
                       sizeof(void *), static_cast<size_t>(argument), shift, false, false);
}

static void complete_current(sycl::handler &command) {
  if (current)
    current->complete(command);
}

} // namespace specpi_test

/*
 * Replaces a function of libsycl that dpctl calls last before a command with a kernel is complete:
 * the program's definition takes precedence over the library's.
 */
void sycl::handler::extractArgsAndReqs() {
  using function = void (*)(handler *);
  static const auto real =
      reinterpret_cast<function>(dlsym(RTLD_NEXT, "_ZN4sycl3_V17handler18extractArgsAndReqsEv"));
  if (!real)
    throw std::runtime_error("libsycl has no sycl::handler::extractArgsAndReqs");
  real(this);
  specpi_test::complete_current(*this);
}
