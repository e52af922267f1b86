/* A minimal SYCL runtime: it counts registrations. */
#include <pi/pi.h>

void __sycl_register_lib(pi_device_binaries binaries);
void __sycl_unregister_lib(pi_device_binaries binaries);
const int *second_runtime_count(void);

static int count;

void __sycl_register_lib(pi_device_binaries binaries) {
  (void)binaries;
  count++;
}

void __sycl_unregister_lib(pi_device_binaries binaries) {
  (void)binaries;
  count--;
}

const int *second_runtime_count(void) {
  return &count;
}
