#include "probe.h"

#include "../plugins/base/names.h"
#include "tool.h"

#include <string.h>

enum { PROBE_SIZE = 64 };

/* The objects of the probe; NULL until they are created. */
typedef struct probe {
  const pi_function_table *pi;
  pi_device device;
  pi_context context;
  pi_queue queue;
  pi_mem buffer;
} probe;

static char *failed(const probe *probe, const char *call, pi_result code) {
  char *words = NULL;
  probe->pi->piPluginGetLastError(&words);
  const bool any = words && *words;
  return tool_format("%s fails with %s (%d)%s%s", call, enumerator_name("pi_result", code), code,
                     any ? ": " : "", any ? words : "");
}

/* Calls a function of PI. If it fails, returns the reason from the calling function. */
#define PROBE(call, ...)                                                                           \
  do {                                                                                             \
    const pi_result probe_code = probe->pi->call(__VA_ARGS__);                                     \
    if (probe_code != PI_SUCCESS)                                                                  \
      return failed(probe, #call, probe_code);                                                     \
  } while (0)

static char *run_probe(probe *probe) {
  unsigned char out[PROBE_SIZE];
  unsigned char in[PROBE_SIZE] = {0};
  for (unsigned i = 0; i < PROBE_SIZE; i++)
    out[i] = (unsigned char)(i * 7 + 1);
  pi_queue_properties properties[] = {PI_QUEUE_FLAGS, 0, 0};
  PROBE(piContextCreate, NULL, 1, &probe->device, NULL, NULL, &probe->context);
  PROBE(piextQueueCreate, probe->context, probe->device, properties, &probe->queue);
  PROBE(piMemBufferCreate, probe->context, PI_MEM_FLAGS_ACCESS_RW, PROBE_SIZE, NULL, &probe->buffer,
        NULL);
  PROBE(piEnqueueMemBufferWrite, probe->queue, probe->buffer, PI_TRUE, 0, PROBE_SIZE, out, 0, NULL,
        NULL);
  PROBE(piEnqueueMemBufferRead, probe->queue, probe->buffer, PI_TRUE, 0, PROBE_SIZE, in, 0, NULL,
        NULL);
  PROBE(piQueueFinish, probe->queue);
  if (memcmp(out, in, PROBE_SIZE) != 0)
    return tool_format("a buffer gives back other bytes than were written");
  return NULL;
}

char *probe_device(specpi_device device) {
  probe probe = {.pi = specpiDeviceGetFunctions(device), .device = specpiDeviceGetHandle(device)};
  char *reason = run_probe(&probe);
  if (probe.buffer)
    probe.pi->piMemRelease(probe.buffer);
  if (probe.queue)
    probe.pi->piQueueRelease(probe.queue);
  if (probe.context)
    probe.pi->piContextRelease(probe.context);
  return reason;
}
