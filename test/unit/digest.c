/* Digests, as the cache's files contain them. */
#include "check.h"

#include "../../plugins/base/digest.h"

#include <stdio.h>

static void expect_digest(const void *bytes, size_t size, const char *expected) {
  const digest made = digest_make(bytes, size);
  char text[2 * sizeof made.bytes + 1];
  for (size_t i = 0; i < sizeof made.bytes; i++)
    snprintf(text + 2 * i, 3, "%02x", made.bytes[i]);
  assert_string_equal(text, expected);
}

/* The digests must never change, because the cache's files contain them. */
TEST(digests_are_those_of_blake2b) {
  expect_digest("", 0, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  expect_digest("abc", 3, "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
}

TEST(parts_give_the_digest_of_the_whole) {
  unsigned char bytes[1000];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(i * 7);
  const digest whole = digest_make(bytes, sizeof bytes);
  for (size_t cut = 0; cut <= sizeof bytes; cut += 37) {
    digest_state state_of_parts;
    digest_begin(&state_of_parts);
    digest_add(&state_of_parts, bytes, cut);
    digest_add(&state_of_parts, NULL, 0);
    digest_add(&state_of_parts, bytes + cut, sizeof bytes - cut);
    const digest parts = digest_end(&state_of_parts);
    assert_true(digest_equal(&whole, &parts));
  }
}
