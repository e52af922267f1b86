#include "cache_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * The header's fields have the machine's byte order, because the payload is a driver's code for
 * this machine. In a file with another byte order the version is wrong.
 */
typedef struct header {
  char mark[8];
  uint64_t version;
  uint64_t key_size;
  uint64_t payload_size;
  cache_hash hash; /* of key and payload */
} header;

_Static_assert(sizeof(header) == CACHE_FILE_HEADER, "the header has no padding");

static const char mark[8] = {'s', 'p', 'e', 'c', 'p', 'i', '\r', '\n'};

/* Increase this when the meaning of a file, a key or a payload changes. */
enum { VERSION = 2 };

size_t cache_file_size(size_t key_size, size_t payload_size) {
  if (key_size > SIZE_MAX - CACHE_FILE_HEADER ||
      payload_size > SIZE_MAX - CACHE_FILE_HEADER - key_size)
    return 0;
  return CACHE_FILE_HEADER + key_size + payload_size;
}

void cache_file_write(const cache_key *key, const void *payload, size_t size,
                      unsigned char *bytes) {
  header head = {.version = VERSION, .key_size = key->size, .payload_size = size};
  memcpy(head.mark, mark, sizeof mark);
  unsigned char *content = bytes + sizeof head;
  if (key->size > 0)
    memcpy(content, key->bytes, key->size);
  if (size > 0)
    memcpy(content + key->size, payload, size);
  head.hash = cache_hash_make(content, key->size + size);
  memcpy(bytes, &head, sizeof head);
}

static bool refuse_file(os_reason *reason, const char *text) {
  snprintf(reason->text, sizeof reason->text, "%s", text);
  return false;
}

bool cache_file_read(const void *bytes, size_t size, const cache_key *key, const void **payload,
                     size_t *payload_size, os_reason *reason) {
  header head;
  if (size < sizeof head)
    return refuse_file(reason, "it is shorter than its header");
  memcpy(&head, bytes, sizeof head);
  if (memcmp(head.mark, mark, sizeof mark) != 0)
    return refuse_file(reason, "it is not a file of this cache");
  if (head.version != VERSION) {
    snprintf(reason->text, sizeof reason->text, "it has version %" PRIu64 ", not %d", head.version,
             VERSION);
    return false;
  }
  const size_t rest = size - sizeof head;
  if (head.key_size > rest || head.payload_size != rest - head.key_size) {
    snprintf(reason->text, sizeof reason->text,
             "it has %zu bytes after its header, which says %" PRIu64 " and %" PRIu64, rest,
             head.key_size, head.payload_size);
    return false;
  }
  const unsigned char *content = (const unsigned char *)bytes + sizeof head;
  if (!cache_hash_equal(cache_hash_make(content, rest), head.hash))
    return refuse_file(reason, "its content is not what was written");
  if (head.key_size != key->size || (key->size > 0 && memcmp(content, key->bytes, key->size) != 0))
    return refuse_file(reason, "it belongs to another key");
  *payload = content + key->size;
  *payload_size = (size_t)head.payload_size;
  return true;
}
