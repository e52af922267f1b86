/* The choice of a device image. */
#ifndef CODE_SELECT_IMAGE_H
#define CODE_SELECT_IMAGE_H

#include "code_head.h"

/* Checks piextDeviceSelectBinary's binaries, their count and the place of the answer. */
pi_result check_select_image(pi_device_binary *binaries, pi_uint32 num_binaries,
                             const pi_uint32 *selected_binary_ind);

/*
 * Two targets fit a device: code made ahead of time for its kind (own; NULL or "" for none), whose
 * first image wins, and else SPIR-V (portable), whose last image wins, as runtimes expect. The
 * arguments are checked. PI_ERROR_INVALID_BINARY, and UINT32_MAX in *selected_binary_ind, when no
 * image fits: runtimes look at the index, and not only at the result.
 */
pi_result select_image(pi_device_binary *binaries, pi_uint32 num_binaries, const char *own,
                       const char *portable, pi_uint32 *selected_binary_ind);

/* The targets of images that select_ptx_image looks into, and NULL. */
extern const char *const ptx_image_targets[];

/* The same by the bytes of the images: selects the first one of those that suit best. */
pi_result select_ptx_image(pi_device_binary *binaries, pi_uint32 num_binaries,
                           const ptx_target *target, pi_uint32 *selected_binary_ind);

#endif
