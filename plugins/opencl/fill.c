/*
 * Fills with patterns that OpenCL does not take. First the pattern is written once in aligned
 * pieces: each piece is a fill whose pattern is the piece itself. Then copies double the filled
 * part until it covers the first row, and that row is copied to the others. The driver copies a
 * pattern when a command is enqueued, so the caller's pattern is not used after that.
 */
#include "fill.h"

static uintptr_t address_of(const fill_target *target, size_t offset) {
  return target->buffer ? offset : (uintptr_t)target->pointer + offset;
}

static pi_result fill_once(sequence *sequence, const fill_target *target, size_t offset,
                           size_t size, const void *pattern, size_t pattern_size) {
  if (target->buffer)
    return sequence_add(sequence,
                        cl.EnqueueFillBuffer(sequence->queue, target->buffer, pattern, pattern_size,
                                             offset, size, sequence->wait.count,
                                             sequence->wait.list, sequence_event(sequence)),
                        "clEnqueueFillBuffer");
  return sequence_add(sequence,
                      target->extensions->EnqueueMemFill(
                          sequence->queue, target->pointer + offset, pattern, pattern_size, size,
                          sequence->wait.count, sequence->wait.list, sequence_event(sequence)),
                      "clEnqueueMemFillINTEL");
}

static pi_result copy_once(sequence *sequence, const fill_target *target, size_t to, size_t from,
                           size_t size) {
  if (target->buffer)
    return sequence_add(sequence,
                        cl.EnqueueCopyBuffer(sequence->queue, target->buffer, target->buffer, from,
                                             to, size, sequence->wait.count, sequence->wait.list,
                                             sequence_event(sequence)),
                        "clEnqueueCopyBuffer");
  return sequence_add(
      sequence,
      target->extensions->EnqueueMemcpy(sequence->queue, CL_FALSE, target->pointer + to,
                                        target->pointer + from, size, sequence->wait.count,
                                        sequence->wait.list, sequence_event(sequence)),
      "clEnqueueMemcpyINTEL");
}

/* Returns the largest valid pattern size that fits size bytes at this address. */
static size_t piece_at(uintptr_t address, size_t size) {
  size_t piece = 128;
  while (piece > size || address % piece != 0)
    piece /= 2;
  return piece;
}

static pi_result write_pattern(sequence *sequence, const fill_target *target, size_t offset,
                               const void *pattern, size_t pattern_size) {
  for (size_t done = 0; done < pattern_size;) {
    const size_t piece = piece_at(address_of(target, offset + done), pattern_size - done);
    TRY(fill_once(sequence, target, offset + done, piece, (const char *)pattern + done, piece));
    done += piece;
  }
  return PI_SUCCESS;
}

pi_result fill_rows(sequence *sequence, const fill_target *target, size_t offset, size_t pitch,
                    size_t width, size_t height, const void *pattern, size_t pattern_size) {
  if (pitch == width) {
    width *= height;
    height = 1;
  }
  if (fill_is_simple(pattern_size, address_of(target, offset)) &&
      (height == 1 || pitch % pattern_size == 0)) {
    for (size_t row = 0; row < height; row++)
      TRY(fill_once(sequence, target, offset + row * pitch, width, pattern, pattern_size));
    return PI_SUCCESS;
  }

  TRY(write_pattern(sequence, target, offset, pattern, pattern_size));
  for (size_t done = pattern_size; done < width;) {
    const size_t size = done < width - done ? done : width - done;
    TRY(sequence_order(sequence));
    TRY(copy_once(sequence, target, offset + done, offset, size));
    done += size;
  }
  if (height > 1)
    TRY(sequence_order(sequence));
  for (size_t row = 1; row < height; row++)
    TRY(copy_once(sequence, target, offset + row * pitch, offset, width));
  return PI_SUCCESS;
}
