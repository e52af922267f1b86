/* Command queues. */
#include "checks.h"
#include "device.h"

#include "../checks/queue_flags.h"

/* PI's queue flags that have the same numbers in OpenCL. */
#define DRIVER_BITS                                                                                \
  ((pi_queue_properties)(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE |                             \
                         PI_QUEUE_FLAG_PROFILING_ENABLE) |                                         \
   QUEUE_DEVICE_BITS)

/*
 * Creates a queue. Flags other than DRIVER_BITS are hints: priorities are passed on if the device
 * takes them; OpenCL has no use for discarded events and the kind of submission.
 */
static pi_result create_queue(pi_context context, pi_device device, pi_queue_properties flags,
                              pi_queue *queue) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(queue);
  TRY(queue_check_flags(flags));
  unsigned version;
  TRY(opencl_device_version(cl_from_device(device), &version));
  cl_int code;
  cl_command_queue created;
  if (cl.CreateCommandQueueWithProperties && version >= 200) {
    cl_queue_properties properties[5] = {CL_QUEUE_PROPERTIES, flags & DRIVER_BITS};
    bool has_priorities = false;
    if (flags & QUEUE_PRIORITY_BITS)
      TRY(opencl_device_has_extension(cl_from_device(device), "cl_khr_priority_hints",
                                      &has_priorities));
    if (has_priorities) {
      properties[2] = CL_QUEUE_PRIORITY_KHR;
      properties[3] = flags & PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH ? CL_QUEUE_PRIORITY_HIGH_KHR
                                                                     : CL_QUEUE_PRIORITY_LOW_KHR;
    }
    created = cl.CreateCommandQueueWithProperties(cl_from_context(context), cl_from_device(device),
                                                  properties, &code);
    TRY(cl_result(code, "clCreateCommandQueueWithProperties"));
  } else {
    REQUIRE(!(flags & QUEUE_DEVICE_BITS), PI_ERROR_INVALID_QUEUE_PROPERTIES,
            "queues on the device need OpenCL 2.0, the device has %u.%u", version / 100,
            version / 10 % 10);
    created = cl.CreateCommandQueue(cl_from_context(context), cl_from_device(device),
                                    flags & DRIVER_BITS, &code);
    TRY(cl_result(code, "clCreateCommandQueue"));
  }
  *queue = pi_from_cl_queue(created);
  return PI_SUCCESS;
}

pi_result piQueueCreate(pi_context context, pi_device device, pi_queue_properties properties,
                        pi_queue *queue) {
  return create_queue(context, device, properties, queue);
}

pi_result piextQueueCreate(pi_context context, pi_device device, pi_queue_properties *properties,
                           pi_queue *queue) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(properties);
  pi_queue_properties flags;
  pi_uint32 index;
  TRY(queue_read_properties(properties, 1, &flags, &index));
  return create_queue(context, device, flags, queue);
}

static pi_result answer_queue_handle(cl_command_queue queue, cl_command_queue_info query,
                                     const info_answer *answer) {
  void *value;
  TRY(CL_GET(CommandQueue, queue, query, &value));
  return answer_handle(answer, value);
}

/* Answers with the size of a queue on the device, or with the device's default queue. Fails for all
 * other queues, which have neither. */
static pi_result answer_on_device(cl_command_queue queue, pi_queue_info query,
                                  const info_answer *answer) {
  cl_command_queue_properties properties;
  TRY(CL_GET(CommandQueue, queue, CL_QUEUE_PROPERTIES, &properties));
  if (!(properties & CL_QUEUE_ON_DEVICE))
    return answer_unsupported("pi_queue_info", query, QUEUE_NOT_ON_DEVICE);
  if (query == PI_QUEUE_INFO_DEVICE_DEFAULT)
    return answer_queue_handle(queue, query, answer);
  cl_uint size;
  TRY(CL_GET(CommandQueue, queue, query, &size));
  return answer_uint32(answer, size);
}

pi_result piQueueGetInfo(pi_queue queue, pi_queue_info param_name, size_t param_value_size,
                         void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_QUEUE(queue);
  TRY(answer_check(&answer));
  const cl_command_queue asked = cl_from_queue(queue);
  switch (param_name) {
  case PI_QUEUE_INFO_CONTEXT:
  case PI_QUEUE_INFO_DEVICE:
    return answer_queue_handle(asked, param_name, &answer);
  case PI_QUEUE_INFO_REFERENCE_COUNT: {
    cl_uint count;
    TRY(CL_GET(CommandQueue, asked, param_name, &count));
    return answer_uint32(&answer, count);
  }
  case PI_QUEUE_INFO_PROPERTIES: {
    cl_command_queue_properties properties;
    TRY(CL_GET(CommandQueue, asked, param_name, &properties));
    return answer_uint64(&answer, properties);
  }
  case PI_QUEUE_INFO_SIZE:
  case PI_QUEUE_INFO_DEVICE_DEFAULT:
    return answer_on_device(asked, param_name, &answer);
  case PI_EXT_ONEAPI_QUEUE_INFO_EMPTY:
    /* A marker that has ended shows an empty queue, but one that has not ended shows nothing. */
    return answer_unsupported("pi_queue_info", param_name,
                              "OpenCL does not tell whether a queue is empty");
  }
  return answer_unknown("pi_queue_info", param_name);
}

pi_result piQueueFinish(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  return CL_CALL(Finish, cl_from_queue(queue));
}

pi_result piQueueFlush(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  return CL_CALL(Flush, cl_from_queue(queue));
}

/* native_handle_desc may be NULL; it receives 0, because OpenCL has one kind of native queue. */
pi_result piextQueueGetNativeHandle(pi_queue queue, pi_native_handle *native_handle,
                                    int32_t *native_handle_desc) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(native_handle);
  *native_handle = (pi_native_handle)queue;
  if (native_handle_desc)
    *native_handle_desc = 0;
  return PI_SUCCESS;
}

/*
 * Always takes a new reference, even if plugin_owns_native_handle is set: libsycl also sets it for
 * a queue that the application keeps, and releases the handle once without retaining it. Ignores
 * context, device and properties, which the native queue has.
 */
pi_result piextQueueCreateWithNativeHandle(pi_native_handle native_handle,
                                           int32_t native_handle_desc, pi_context context,
                                           pi_device device, bool plugin_owns_native_handle,
                                           pi_queue_properties *properties, pi_queue *queue) {
  (void)native_handle_desc;
  (void)context;
  (void)device;
  (void)plugin_owns_native_handle;
  (void)properties;
  REQUIRE(native_handle, PI_ERROR_INVALID_QUEUE, "native_handle is 0");
  REQUIRE_POINTER(queue);
  TRY(CL_CALL(RetainCommandQueue, (cl_command_queue)native_handle));
  *queue = (pi_queue)native_handle;
  return PI_SUCCESS;
}
