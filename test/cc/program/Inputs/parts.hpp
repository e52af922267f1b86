#include <sycl/sycl.hpp>

void one(sycl::queue &queue, int *data);
void two(sycl::queue &queue, int *data);

// An option of one of the two compilers only.
#ifdef __SYCL_DEVICE_ONLY__
#define WHERE DEVICE
#else
#define WHERE HOST
#endif
