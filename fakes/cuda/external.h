/* Memory and semaphores imported from other APIs by file descriptor. */
#ifndef SPECPI_TEST_FAKE_CUDA_EXTERNAL_H
#define SPECPI_TEST_FAKE_CUDA_EXTERNAL_H

#include "memory.h"

/* A shared mapping of a file. It ends with its last user. */
typedef struct fake_mapping {
  unsigned references;
  void *bytes;
  size_t size;
} fake_mapping;

typedef struct fake_external {
  fake_object head;
  fake_mapping *mapping;
} fake_external;

typedef struct fake_semaphore {
  fake_object head;
  int file; /* an eventfd */
} fake_semaphore;

void fake_external_end(fake_external *external);
void fake_semaphore_end(fake_semaphore *semaphore);

#endif
