/* Conversions between UR's descriptions of images and PI's. */
#ifndef UR_IMAGE_FORM_H
#define UR_IMAGE_FORM_H

#include "result.h"

/*
 * Convert to PI's form. INVALID_NULL_POINTER; INVALID_IMAGE_FORMAT_DESCRIPTOR: UR has no such
 * format or type of images.
 */
ur_result_t face_image_format(const ur_image_format_t *format, pi_image_format *ret);
ur_result_t face_image_desc(const ur_image_desc_t *desc, pi_image_desc *ret);

/* Converts a format that a device supports back to UR's form. */
ur_image_format_t face_image_given(const pi_image_format *format);

#endif
