#include "workload.h"

#include <stdlib.h>

void bench_workload_close(const bench_device *device, bench_workload *workload) {
  for (size_t i = 0; i < sizeof workload->inputs / sizeof workload->inputs[0]; i++)
    if (workload->inputs[i])
      BENCH_PI(device, piMemRelease, workload->inputs[i]);
  free(workload->expected);
}
