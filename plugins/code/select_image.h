/* Chooses a device image. */
#ifndef CODE_SELECT_IMAGE_H
#define CODE_SELECT_IMAGE_H

#include "code_head.h"

/* Checks the arguments of piextDeviceSelectBinary except the device. */
pi_result check_select_image(pi_device_binary *binaries, pi_uint32 num_binaries,
                             const pi_uint32 *selected_binary_ind);

/*
 * Selects an image by its target. own is the target of code compiled ahead of time for the device,
 * or NULL or ""; portable is the target of SPIR-V. Prefers the first image with the target own.
 * Else selects the last one with the target portable, as runtimes expect. The caller has checked
 * the arguments. PI_ERROR_INVALID_BINARY: no image fits. *selected_binary_ind is UINT32_MAX then,
 * because runtimes also look at the index.
 */
pi_result select_image(pi_device_binary *binaries, pi_uint32 num_binaries, const char *own,
                       const char *portable, pi_uint32 *selected_binary_ind);

/* The targets of images that select_ptx_image examines; NULL ends the list. */
extern const char *const ptx_image_targets[];

/* Selects the first of the best images, which code_head_rank rates. Errors as select_image. */
pi_result select_ptx_image(pi_device_binary *binaries, pi_uint32 num_binaries,
                           const ptx_target *target, pi_uint32 *selected_binary_ind);

#endif
