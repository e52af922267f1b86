/* Launches of kernels that belong to a bundle, by way of dpctl, whose launches know no bundles. */
#ifndef SPECPI_TEST_SYCL_LAUNCH_H
#define SPECPI_TEST_SYCL_LAUNCH_H

#include "../sycl_abi.h"

namespace specpi_test {

/*
 * While there is one, the commands that this thread makes have a kernel of this bundle. With
 * buffer_argument not negative libsycl passes the buffer of the bundle's constants as the argument
 * with that index, as it does for kernels whose constants the backend does not take. Must be the
 * only one of its thread.
 */
class launch_of_bundle {
public:
  launch_of_bundle(const std::shared_ptr<sycl::detail::kernel_bundle_impl> &bundle,
                   int buffer_argument);
  launch_of_bundle(const launch_of_bundle &) = delete;
  launch_of_bundle &operator=(const launch_of_bundle &) = delete;
  ~launch_of_bundle();

  /* Adds to a command what dpctl does not. */
  void complete(sycl::handler &command) const;

private:
  const std::shared_ptr<sycl::detail::kernel_bundle_impl> &bundle_of;
  int argument;
};

} // namespace specpi_test

#endif
