#define _GNU_SOURCE /* MSG_NOSIGNAL */
#include "codegen_frame.h"

#include "../base/vector.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* ---- Fields ---- */

static bool reserve_bytes(codegen_frame *to, size_t more) {
  to->failed = to->failed || more > CODEGEN_FRAME_MAX - to->size ||
               !vector_extend(&to->bytes, &to->capacity, to->size, more, 1);
  return !to->failed;
}

void codegen_frame_put(codegen_frame *to, const void *field, size_t size) {
  const pi_uint64 length = size;
  if (to->size == 0 && reserve_bytes(to, CODEGEN_FRAME_HEAD))
    to->size = CODEGEN_FRAME_HEAD;
  if (size > CODEGEN_FRAME_MAX || !reserve_bytes(to, sizeof length + size)) {
    to->failed = true;
    return;
  }
  memcpy(to->bytes + to->size, &length, sizeof length);
  if (size != 0)
    memcpy(to->bytes + to->size + sizeof length, field, size);
  to->size += sizeof length + size;
  const pi_uint64 whole = to->size - CODEGEN_FRAME_HEAD;
  memcpy(to->bytes, &whole, sizeof whole);
}

void codegen_frame_put_number(codegen_frame *to, pi_uint32 number) {
  codegen_frame_put(to, &number, sizeof number);
}

bool codegen_fields_take(codegen_fields *from, const void **ret, size_t *size) {
  pi_uint64 length;
  if (from->size < sizeof length)
    return false;
  memcpy(&length, from->bytes, sizeof length);
  if (length > from->size - sizeof length)
    return false;
  *ret = from->bytes + sizeof length;
  *size = (size_t)length;
  from->bytes += sizeof length + length;
  from->size -= sizeof length + (size_t)length;
  return true;
}

bool codegen_fields_take_text(codegen_fields *from, const char **ret) {
  const void *text;
  size_t size;
  if (!codegen_fields_take(from, &text, &size) || size == 0 ||
      memchr(text, '\0', size) != (const char *)text + size - 1)
    return false;
  *ret = text;
  return true;
}

bool codegen_fields_take_number(codegen_fields *from, pi_uint32 *ret) {
  const void *number;
  size_t size;
  if (!codegen_fields_take(from, &number, &size) || size != sizeof *ret)
    return false;
  memcpy(ret, number, sizeof *ret);
  return true;
}

/* ---- The socket ---- */

pi_uint64 codegen_frame_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (pi_uint64)now.tv_sec * 1000 + (pi_uint64)now.tv_nsec / 1000000;
}

int codegen_frame_await(int file, short events, pi_uint64 deadline) {
  struct pollfd polled = {.fd = file, .events = events};
  while (true) {
    const pi_uint64 now = deadline ? codegen_frame_now() : 0;
    if (deadline && now >= deadline)
      return ETIMEDOUT;
    const pi_uint64 left = deadline - now < 1000000 ? deadline - now : 1000000;
    const int ready = poll(&polled, 1, deadline ? (int)left : -1);
    if (ready > 0)
      return 0;
    if (ready < 0 && errno != EINTR)
      return errno;
  }
}

/* Returns 0 if a transfer may go on after this result of send or recv, else an error number. */
static int judge_move(ssize_t moved) {
  if (moved == 0)
    return EPIPE;
  if (moved > 0 || errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)
    return 0;
  return errno == ECONNRESET ? EPIPE : errno;
}

int codegen_frame_send(int socket, const void *bytes, size_t size, pi_uint64 deadline) {
  const unsigned char *at = bytes;
  while (size > 0) {
    int reason = codegen_frame_await(socket, POLLOUT, deadline);
    const ssize_t moved = reason ? 0 : send(socket, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (!reason)
      reason = judge_move(moved);
    if (reason)
      return reason;
    if (moved > 0) {
      at += moved;
      size -= (size_t)moved;
    }
  }
  return 0;
}

int codegen_frame_receive(int socket, void *bytes, size_t size, pi_uint64 deadline) {
  unsigned char *at = bytes;
  while (size > 0) {
    int reason = codegen_frame_await(socket, POLLIN, deadline);
    const ssize_t moved = reason ? 0 : recv(socket, at, size, MSG_DONTWAIT);
    if (!reason)
      reason = judge_move(moved);
    if (reason)
      return reason;
    if (moved > 0) {
      at += moved;
      size -= (size_t)moved;
    }
  }
  return 0;
}

int codegen_frame_receive_all(int socket, pi_uint64 deadline, unsigned char **ret, size_t *size) {
  pi_uint64 length;
  int reason = codegen_frame_receive(socket, &length, sizeof length, deadline);
  if (reason)
    return reason;
  if (length > CODEGEN_FRAME_MAX)
    return EMSGSIZE;
  unsigned char *bytes = malloc((size_t)length + 1);
  if (!bytes)
    return ENOMEM;
  reason = codegen_frame_receive(socket, bytes, (size_t)length, deadline);
  if (reason) {
    free(bytes);
    return reason;
  }
  *ret = bytes;
  *size = (size_t)length;
  return 0;
}
