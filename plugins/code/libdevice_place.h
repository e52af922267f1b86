/* Finds libdevice, NVIDIA's bitcode library of mathematical functions. */
#ifndef CODE_LIBDEVICE_PLACE_H
#define CODE_LIBDEVICE_PLACE_H

/* Returns the path of libdevice in one of the usual places of a CUDA toolkit; "" if none has it. */
const char *libdevice_place(void);

/*
 * Returns the path of the libdevice that plugins link with code; "" for none. The environment
 * variable SPECPI_LIBDEVICE, an absolute path or "", has priority over libdevice_place. Other
 * values of the variable are ignored, but *variable receives them, too. *variable becomes NULL if
 * the variable is not set, or if secure_getenv hides it from a privileged process. variable may be
 * NULL.
 */
const char *libdevice_choice(const char **variable);

#endif
