/* Launches kernels of a bundle with dpctl, whose own launches do not support bundles. */
#ifndef SPECPI_TEST_SYCL_LAUNCH_H
#define SPECPI_TEST_SYCL_LAUNCH_H

#include "../sycl_abi.h"

namespace specpi_test {

/*
 * During its lifetime the kernels of the thread's commands belong to this bundle. If
 * buffer_argument is not negative, libsycl passes the buffer of the bundle's constants as the
 * argument with that index, as for backends without constants of their own. A thread may have only
 * one such object.
 */
class launch_of_bundle {
public:
  launch_of_bundle(const std::shared_ptr<sycl::detail::kernel_bundle_impl> &bundle,
                   int buffer_argument);
  launch_of_bundle(const launch_of_bundle &) = delete;
  launch_of_bundle &operator=(const launch_of_bundle &) = delete;
  ~launch_of_bundle();

  /* Adds the bundle and the buffer, which dpctl does not pass, to a command. */
  void complete(sycl::handler &command) const;

private:
  const std::shared_ptr<sycl::detail::kernel_bundle_impl> &bundle_of;
  int argument;
};

} // namespace specpi_test

#endif
