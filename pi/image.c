/* PI's entries for images. enqueue_image.c has commands on them. */
#include "../plugins/objects/image.h"

#include "../plugins/checks/arguments.h"
#include "../plugins/objects/handle_checks.h"

pi_result piMemImageCreate(pi_context context, pi_mem_flags flags,
                           const pi_image_format *image_format, const pi_image_desc *image_desc,
                           void *host_ptr, pi_mem *ret_mem) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_mem);
  TRY(check_mem_flags(flags, host_ptr));
  return image_create(context, flags, image_format, image_desc, host_ptr, ret_mem);
}

pi_result piMemImageGetInfo(pi_mem image, pi_image_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_MEM(image);
  REQUIRE(image->kind == MEMORY_IMAGE, PI_ERROR_INVALID_MEM_OBJECT, "image is a buffer");
  TRY(answer_check(&answer));
  return image_answer(&answer, param_name, &image->form);
}

pi_result piextMemImageCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                              bool own_native_handle,
                                              const pi_image_format *image_format,
                                              const pi_image_desc *image_desc, pi_mem *img) {
  REQUIRE(native_handle, PI_ERROR_INVALID_MEM_OBJECT, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(img);
  return image_adopt(context, native_handle, own_native_handle, image_format, image_desc, img);
}
