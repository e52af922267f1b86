/*
 * Reads any bytes as a cache file, with the key in the file and with one that it cannot have. An
 * accepted file is written again and must be the same.
 */
#include "fuzz.h"

#include "../../plugins/base/cache_file.h"

#include <string.h>

/* Offset of the key's size in the header. */
enum { KEY_SIZE_AT = 16 };

/* Finds the key after the header; returns whether it is there. */
static bool own_key(const uint8_t *data, size_t size, cache_key *key) {
  uint64_t length;
  if (size < CACHE_FILE_HEADER)
    return false;
  memcpy(&length, data + KEY_SIZE_AT, sizeof length);
  if (length > size - CACHE_FILE_HEADER)
    return false;
  *key = (cache_key){.bytes = data + CACHE_FILE_HEADER, .size = (size_t)length};
  key->hash = cache_hash_make(key->bytes, key->size);
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const unsigned char none[3] = {1, 2, 3};
  const cache_key other = {cache_hash_make(none, sizeof none), NULL, none, sizeof none};
  const void *payload = NULL;
  size_t payload_size = 0;
  os_reason reason = {""};
  cache_key key;
  const bool has_key = own_key(data, size, &key);
  if (!has_key || key.size != sizeof none || memcmp(key.bytes, none, sizeof none) != 0) {
    FUZZ_CHECK(!cache_file_read(data, size, &other, &payload, &payload_size, &reason));
    FUZZ_CHECK(!payload && payload_size == 0 && *reason.text);
  }
  if (!has_key)
    return 0;
  if (!cache_file_read(data, size, &key, &payload, &payload_size, &reason)) {
    FUZZ_CHECK(!payload && payload_size == 0 && *reason.text);
    return 0;
  }
  FUZZ_CHECK(cache_file_size(key.size, payload_size) == size);
  unsigned char *again = malloc(size);
  FUZZ_CHECK(again);
  cache_file_write(&key, payload, payload_size, again);
  FUZZ_CHECK(memcmp(again, data, size) == 0);
  free(again);
  return 0;
}
