/* The place of libdevice, NVIDIA's library of bitcode for its GPUs. */
#ifndef CODE_LIBDEVICE_PLACE_H
#define CODE_LIBDEVICE_PLACE_H

/* Its path, in one of the usual places of a CUDA toolkit; or "". */
const char *libdevice_place(void);

/*
 * The libdevice that plugins link code with: SPECPI_LIBDEVICE's, an absolute path or "" for none,
 * else libdevice_place's. *variable, which may be NULL, receives the value of the variable, even if
 * it is ignored because it is no absolute path; NULL when it is not set, or the process has more
 * rights than its user.
 */
const char *libdevice_choice(const char **variable);

#endif
