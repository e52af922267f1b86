/* Copies and fills, by the host: memory of devices is memory of the process. */
#include "command.h"

#include "../checks/rect.h"

#include <string.h>

static void do_copy(void *data) {
  const transfer *transfer = data;
  for (size_t slice = 0; slice < transfer->depth; slice++)
    for (size_t row = 0; row < transfer->height; row++)
      memmove((void *)(transfer->to.start + slice * transfer->to.slice + row * transfer->to.row),
              (const void *)(transfer->from.start + slice * transfer->from.slice +
                             row * transfer->from.row),
              transfer->width);
}

pi_result driver_copy(sink *sink, const transfer *transfer, copy_host host) {
  TRY(sink_begin(sink, SINK_COPY));
  return sink_end(sink, null_do(sink, do_copy, transfer, sizeof *transfer));
}

typedef struct null_fill {
  fill_area area;
  size_t pattern_size;
  unsigned char pattern[128]; /* as large as PI's largest pattern */
} null_fill;

static void do_fill(void *data) {
  const null_fill *fill = data;
  for (size_t row = 0; row < fill->area.height; row++)
    for (size_t at = 0; at < fill->area.width; at += fill->pattern_size)
      memcpy((void *)(fill->area.pointer + row * fill->area.pitch + at), fill->pattern,
             fill->pattern_size);
}

pi_result driver_fill(sink *sink, const fill_area *rows, const void *pattern, size_t pattern_size) {
  null_fill fill = {*rows, pattern_size, {0}};
  REQUIRE(pattern_size <= sizeof fill.pattern, PI_ERROR_INVALID_VALUE,
          "pattern_size is %zu, the most is %zu", pattern_size, sizeof fill.pattern);
  memcpy(fill.pattern, pattern, pattern_size);
  TRY(sink_begin(sink, SINK_COPY));
  return sink_end(sink, null_do(sink, do_fill, &fill, sizeof fill));
}
