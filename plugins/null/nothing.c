/* Verbs for which this driver has nothing to do: there is no library behind it, and memory is
 * memory. */
#include "../objects/driver.h"
#include "../objects/program.h"

#define SUCCEEDS(verb, ...)                                                                        \
  pi_result verb(__VA_ARGS__) { return PI_SUCCESS; }
#define NOTHING(verb, ...)                                                                         \
  void verb(__VA_ARGS__) {}

SUCCEEDS(driver_platform_open, pi_platform platform)
SUCCEEDS(driver_peer_enable, pi_device command_device, pi_device peer_device)
SUCCEEDS(driver_queue_open, pi_queue queue, pi_uint32 index)
SUCCEEDS(driver_queue_flush, pi_queue queue)
SUCCEEDS(driver_event_submit, pi_event event)
SUCCEEDS(driver_command_buffer_open, pi_ext_command_buffer buffer)
SUCCEEDS(driver_command_buffer_finalize, pi_ext_command_buffer buffer)
SUCCEEDS(driver_memory_open, pi_mem mem)
SUCCEEDS(driver_usm_require_import, pi_context context)
SUCCEEDS(driver_usm_import, pi_context context, void *pointer, size_t size)
SUCCEEDS(driver_usm_release, pi_context context, void *pointer)
SUCCEEDS(driver_image_form, pi_mem image, pi_device device, const char *name, image_form *ret)
SUCCEEDS(driver_image_transfer, sink *sink, pi_mem image, const image_box *part,
         const image_pitched *memory, bool is_to_memory)
SUCCEEDS(driver_image_copy, sink *sink, pi_mem to, const image_box *there, pi_mem from,
         const image_box *here)
SUCCEEDS(driver_image_fill, sink *sink, pi_mem image, const image_box *box,
         const unsigned char *pixel)
SUCCEEDS(driver_sampler_create, pi_sampler sampler, bool is_bindless)
SUCCEEDS(driver_kernel_set_value, pi_kernel kernel, pi_uint32 index, size_t size, const void *bytes)
SUCCEEDS(driver_kernel_set_memory, pi_kernel kernel, pi_uint32 index, pi_mem mem)
SUCCEEDS(driver_kernel_set_sampler, pi_kernel kernel, pi_uint32 index, pi_sampler sampler)
SUCCEEDS(driver_kernel_set_cache, pi_kernel kernel, pi_uint32 config)
SUCCEEDS(driver_kernel_set_indirect, pi_kernel kernel, bool is_on)
SUCCEEDS(driver_peer_disable, pi_device command_device, pi_device peer_device)

NOTHING(driver_note, pi_uint32 platform_count)
NOTHING(driver_platform_close, pi_platform platform)
NOTHING(driver_device_close, pi_device device)
NOTHING(driver_context_destroy, pi_context context)
NOTHING(driver_queue_close, pi_queue queue)
NOTHING(driver_event_adopt, pi_event event, pi_native_handle native)
NOTHING(driver_command_buffer_leave, pi_ext_command_buffer buffer)
NOTHING(driver_memory_close, pi_mem mem)
NOTHING(driver_memory_pin_host, pi_mem buffer)
NOTHING(driver_sampler_destroy, pi_sampler sampler)
NOTHING(driver_kernel_destroy, pi_kernel kernel)
NOTHING(driver_kernel_place_local, pi_kernel kernel, pi_uint32 index, size_t offset)

/* Native handles: what has no object behind it is one itself. */
#define ITSELF(verb, type)                                                                         \
  pi_result verb(type object, pi_native_handle *ret) {                                             \
    *ret = (pi_native_handle)object;                                                               \
    return PI_SUCCESS;                                                                             \
  }

ITSELF(driver_event_native, pi_event)
ITSELF(driver_kernel_native, pi_kernel)
