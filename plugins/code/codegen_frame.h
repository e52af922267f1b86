/*
 * Messages on the socket of a code generator: a head of 8 bytes with the length of the rest, then
 * fields, each preceded by its length. Both ends are on one machine.
 */
#ifndef CODE_CODEGEN_FRAME_H
#define CODE_CODEGEN_FRAME_H

#include <pi/pi.h>

/*
 * Descriptors of a code generator's process after the standard ones: this socket; one that becomes
 * readable when the parent has ended; a pipe for the builder's status, in the form of waitpid.
 */
enum { CODEGEN_SOCKET = 3, CODEGEN_PARENT, CODEGEN_STATUS };

enum { CODEGEN_FRAME_HEAD = 8 };
/* No program's code is that long. */
#define CODEGEN_FRAME_MAX ((pi_uint64)1 << 30)

/* A frame that is being written; zero is one without fields. The writer frees bytes. */
typedef struct codegen_frame {
  unsigned char *bytes; /* the head, too */
  size_t size;
  size_t capacity;
  bool failed; /* memory ran out, and later fields are missing */
} codegen_frame;

void codegen_frame_put(codegen_frame *to, const void *field, size_t size);
void codegen_frame_put_number(codegen_frame *to, pi_uint32 number);

/* The fields of a frame that are still to be read, without its head. */
typedef struct codegen_fields {
  const unsigned char *bytes;
  size_t size;
} codegen_fields;

/* Takes the next field, which stays in the frame; false where no whole one is left. */
bool codegen_fields_take(codegen_fields *from, const void **ret, size_t *size);
/* The same for a text, whose length counts its NUL, and for a number. */
bool codegen_fields_take_text(codegen_fields *from, const char **ret);
bool codegen_fields_take_number(codegen_fields *from, pi_uint32 *ret);

/* Waits until poll reports one of the events, or an end, or to a deadline. Results as below. */
int codegen_frame_await(int file, short events, pi_uint64 deadline);

/*
 * Moves size bytes through a socket until CLOCK_MONOTONIC reaches deadline, in milliseconds; 0:
 * without a limit. Returns 0, ETIMEDOUT, EPIPE when the other end has ended, or another error
 * number.
 */
int codegen_frame_send(int socket, const void *bytes, size_t size, pi_uint64 deadline);
int codegen_frame_receive(int socket, void *bytes, size_t size, pi_uint64 deadline);

/* Receives a frame without its head, which the caller frees. Errors as above, ENOMEM, EMSGSIZE. */
int codegen_frame_receive_all(int socket, pi_uint64 deadline, unsigned char **ret, size_t *size);

/* The time now by the deadlines' clock. */
pi_uint64 codegen_frame_now(void);

#endif
