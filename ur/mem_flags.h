/* The flags of buffers and images. */
#ifndef UR_MEM_FLAGS_H
#define UR_MEM_FLAGS_H

#include "result.h"

/* Requires that at most one of the bits of access is set in flags. */
#define UR_REQUIRE_ONE_ACCESS(flags, access)                                                       \
  UR_REQUIRE(((access) & ((access)-1)) == 0, UR_RESULT_ERROR_INVALID_VALUE,                        \
             "flags is 0x%x, which has several kinds of access", flags)

/*
 * Converts flags to PI's, which are the same bits. PI has no flag for write-only memory, so that
 * flag is dropped. UR_RESULT_ERROR_INVALID_ENUMERATION: bits without a meaning;
 * UR_RESULT_ERROR_INVALID_VALUE: several kinds of access.
 */
static inline ur_result_t mem_flags_read(ur_mem_flags_t flags, pi_mem_flags *ret) {
  const ur_mem_flags_t access =
      flags & (UR_MEM_FLAG_READ_WRITE | UR_MEM_FLAG_WRITE_ONLY | UR_MEM_FLAG_READ_ONLY);
  UR_REQUIRE_FLAGS(flags, FLAGS_UP_TO(UR_MEM_FLAG_ALLOC_COPY_HOST_POINTER));
  UR_REQUIRE_ONE_ACCESS(flags, access);
  *ret = flags & UR_MEM_FLAG_WRITE_ONLY
             ? (flags & ~(ur_mem_flags_t)UR_MEM_FLAG_WRITE_ONLY) | UR_MEM_FLAG_READ_WRITE
             : flags;
  return UR_RESULT_SUCCESS;
}

#endif
