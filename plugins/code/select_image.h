/* The choice of a device image where it goes by targets, as for OpenCL and Level Zero. */
#ifndef PI_CODE_SELECT_IMAGE_H
#define PI_CODE_SELECT_IMAGE_H

#include <pi/pi.h>

/* What binaries, their count and the place of the answer have to be for piextDeviceSelectBinary. */
pi_result pi_check_select_image(pi_device_binary *binaries, pi_uint32 num_binaries,
                                const pi_uint32 *selected_binary_ind);

/*
 * Two targets fit a device: code made ahead of time for its kind (own; NULL or "" for none), which
 * wins at its first appearance, and SPIR-V (portable), the last one listed, as runtimes expect. The
 * arguments are checked. PI_ERROR_INVALID_BINARY, and UINT32_MAX in *selected_binary_ind: no image
 * fits. Runtimes look at the index, and not only at the result.
 */
pi_result pi_select_image(pi_device_binary *binaries, pi_uint32 num_binaries, const char *own,
                          const char *portable, pi_uint32 *selected_binary_ind);

#endif
