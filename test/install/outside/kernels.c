/* Runs the program's own kernel scaled, and counted, which is in a static library. */
#include <specpi/specpi.h>
#include <stdio.h>

#include "scaled.h"

#define TRY(call)                                                                                  \
  if ((call) != SPECPI_SUCCESS)                                                                    \
  return false

static bool run_kernel(specpi_device device, const char *name, int *number) {
  specpi_bundle input = NULL;
  specpi_kernel kernel = NULL;
  specpi_queue queue = NULL;
  specpi_buffer buffer = NULL;
  const specpi_range range = {.dimensions = 1, .global = {1}};
  TRY(specpiBundleCreateForKernel(device, name, &input));
  TRY(specpiBundleGetKernel(input, name, NULL, 0, NULL, &kernel));
  TRY(specpiQueueCreate(device, 0, &queue));
  TRY(specpiBufferCreate(device, sizeof *number, number, &buffer));
  const specpi_argument argument = specpiArgumentBuffer(buffer);
  TRY(specpiKernelLaunch(kernel, queue, &range, 1, &argument, 0, NULL, NULL));
  TRY(specpiBufferRead(queue, buffer, 0, sizeof *number, number, 0, NULL, NULL));
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
  specpiKernelRelease(kernel);
  specpiBundleRelease(input);
  return true;
}

int main(void) {
  specpi_device device;
  size_t count = 0;
  int number = 10;
  if (specpiDevicesGetPreferred(NULL, 1, &device, &count) == SPECPI_SUCCESS && count > 0 &&
      run_kernel(device, "scaled", &number) && run_kernel(device, "counted", &number)) {
    printf("%d, of which the header has %d\n", number, OFFSET);
    return 0;
  }
  fprintf(stderr, "%s\n", specpiGetLastError());
  return 1;
}
