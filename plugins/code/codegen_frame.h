/*
 * Frames: messages on the socket of a code generator. A frame is a head of 8 bytes with the length
 * of the rest, and then fields, each preceded by its length. Numbers have the machine's byte order.
 */
#ifndef CODE_CODEGEN_FRAME_H
#define CODE_CODEGEN_FRAME_H

#include <pi/pi.h>

/*
 * Descriptors of a generator process after the standard ones: the socket, a descriptor that becomes
 * readable when the application has ended, and a pipe. On the pipe the generator reports how its
 * builder process ended, as a status of waitpid.
 */
enum { CODEGEN_SOCKET = 3, CODEGEN_PARENT, CODEGEN_STATUS };

enum { CODEGEN_FRAME_HEAD = 8 };
/* Largest size of a frame, more than any program's code needs. */
#define CODEGEN_FRAME_MAX ((pi_uint64)1 << 30)

/* A frame that is being written. {0} is an empty frame. The writer frees bytes. */
typedef struct codegen_frame {
  unsigned char *bytes; /* head and fields */
  size_t size;
  size_t capacity;
  bool failed; /* memory ran out or the frame is too long: later fields are missing */
} codegen_frame;

void codegen_frame_put(codegen_frame *to, const void *field, size_t size);
void codegen_frame_put_number(codegen_frame *to, pi_uint32 number);

/* The fields of a frame that have not been read yet. */
typedef struct codegen_fields {
  const unsigned char *bytes;
  size_t size;
} codegen_fields;

/* Reads the next field. *ret points into the frame. Returns false if no complete field is left. */
bool codegen_fields_take(codegen_fields *from, const void **ret, size_t *size);
/* Read a text, which ends with a NUL, or a number. Return false if the field is something else. */
bool codegen_fields_take_text(codegen_fields *from, const char **ret);
bool codegen_fields_take_number(codegen_fields *from, pi_uint32 *ret);

/*
 * Waits until poll reports one of the events, a hangup or an error. Returns 0, ETIMEDOUT after the
 * deadline, or another error number.
 */
int codegen_frame_await(int file, short events, pi_uint64 deadline);

/*
 * Send or receive size bytes. The deadline is a time of CLOCK_MONOTONIC in milliseconds; 0 means
 * no limit. Return 0, ETIMEDOUT, EPIPE if the other end is closed, or another error number.
 */
int codegen_frame_send(int socket, const void *bytes, size_t size, pi_uint64 deadline);
int codegen_frame_receive(int socket, void *bytes, size_t size, pi_uint64 deadline);

/* Receives a frame. *ret is its fields, which the caller frees. Errors also ENOMEM, EMSGSIZE. */
int codegen_frame_receive_all(int socket, pi_uint64 deadline, unsigned char **ret, size_t *size);

/* Returns the current time of CLOCK_MONOTONIC in milliseconds. */
pi_uint64 codegen_frame_now(void);

#endif
