/* UR's entries for images as memory objects, and for commands on them. */
#include "../plugins/objects/image.h"

#include "../plugins/checks/arguments.h"
#include "../plugins/objects/image_command.h"
#include "image_form.h"
#include "mem_flags.h"
#include "reply_object.h"
#include "sinks.h"

static pi_result create_image(pi_context context, pi_mem_flags flags, const pi_image_format *format,
                              const pi_image_desc *desc, void *host, pi_mem *ret) {
  TRY(check_mem_flags(flags, host));
  return image_create(context, flags, format, desc, host, ret);
}

ur_result_t urMemImageCreate(ur_context_handle_t hContext, ur_mem_flags_t flags,
                             const ur_image_format_t *pImageFormat,
                             const ur_image_desc_t *pImageDesc, void *pHost,
                             ur_mem_handle_t *phMem) {
  pi_mem_flags pi_flags;
  pi_image_format format;
  pi_image_desc desc;
  UR_REQUIRE_CONTEXT(hContext);
  UR_PASS(mem_flags_read(flags, &pi_flags));
  UR_PASS(face_image_format(pImageFormat, &format));
  UR_PASS(face_image_desc(pImageDesc, &desc));
  UR_REQUIRE_POINTER(phMem);
  return face_result(
      create_image(context_of(hContext), pi_flags, &format, &desc, pHost, mems_of(phMem)));
}

ur_result_t urMemImageCreateWithNativeHandle(ur_native_handle_t hNativeMem,
                                             ur_context_handle_t hContext,
                                             const ur_image_format_t *pImageFormat,
                                             const ur_image_desc_t *pImageDesc,
                                             const ur_mem_native_properties_t *pProperties,
                                             ur_mem_handle_t *phMem) {
  pi_image_format format;
  pi_image_desc desc;
  UR_REQUIRE_CONTEXT(hContext);
  UR_PASS(face_image_format(pImageFormat, &format));
  UR_PASS(face_image_desc(pImageDesc, &desc));
  UR_REQUIRE_POINTER(phMem);
  UR_REQUIRE(hNativeMem, UR_RESULT_ERROR_INVALID_NULL_HANDLE, "hNativeMem is 0");
  return face_result(image_adopt(context_of(hContext), hNativeMem,
                                 pProperties && pProperties->isNativeHandleOwned, &format, &desc,
                                 mems_of(phMem)));
}

/* ---- Queries ---- */

#define IMAGE_QUERIES(X)                                                                           \
  X(ELEMENT_SIZE)                                                                                  \
  X(ROW_PITCH)                                                                                     \
  X(SLICE_PITCH)                                                                                   \
  X(WIDTH)                                                                                         \
  X(HEIGHT)                                                                                        \
  X(DEPTH)

static pi_result ask_image(const object_query *query, const info_answer *answer) {
  const struct pi_mem_object *image = query->object;
  return image_answer(answer, (pi_image_info)query->number, &image->form);
}

ur_result_t urMemImageGetInfo(ur_mem_handle_t hMemory, ur_image_info_t propName, size_t propSize,
                              void *pPropValue, size_t *pPropSizeRet) {
  const info_answer reply = REPLY_PLACE;
  UR_REQUIRE_MEM(hMemory);
  const pi_mem image = mem_of(hMemory);
  UR_REQUIRE(image->kind == MEMORY_IMAGE, UR_RESULT_ERROR_INVALID_MEM_OBJECT,
             "hMemory is a buffer");
  UR_PASS(reply_check(&reply));
  object_query query = {.ask = ask_image, .object = image};
  const image_shape *shape = &image->form.shape;
  switch ((int)propName) {
#define IMAGE_QUERY(name)                                                                          \
  case UR_IMAGE_INFO_##name:                                                                       \
    query.number = PI_IMAGE_INFO_##name;                                                           \
    return reply_object(&reply, &query);
    IMAGE_QUERIES(IMAGE_QUERY)
#undef IMAGE_QUERY
  case UR_IMAGE_INFO_FORMAT: {
    const ur_image_format_t format = face_image_given(&image->form.format);
    return reply_bytes(&reply, &format, sizeof format);
  }
  case UR_IMAGE_INFO_ARRAY_SIZE:
    return reply_size(&reply, shape->is_layered ? shape->depth : 0);
  case UR_IMAGE_INFO_NUM_MIP_LEVELS:
  case UR_IMAGE_INFO_NUM_SAMPLES:
    return reply_uint32(&reply, 0);
  }
  return reply_unknown("ur_image_info_t", propName);
}

/* ---- Commands ---- */

/* The origin and size of a part, to which PI takes pointers. */
#define ORIGIN_OF(offset) (&(pi_image_offset_struct){(offset).x, (offset).y, (offset).z})
#define REGION_OF(size) (&(pi_image_region_struct){(size).width, (size).height, (size).depth})

ur_result_t urEnqueueMemImageRead(ur_queue_handle_t hQueue, ur_mem_handle_t hImage,
                                  bool blockingRead, ur_rect_offset_t origin,
                                  ur_rect_region_t region, size_t rowPitch, size_t slicePitch,
                                  void *pDst, uint32_t numEventsInWaitList,
                                  const ur_event_handle_t *phEventWaitList,
                                  ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_MEM(hImage);
  UR_REQUIRE_POINTER(pDst);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_IMAGE_READ, blockingRead);
  return face_result(image_read(&sink, mem_of(hImage), ORIGIN_OF(origin), REGION_OF(region),
                                rowPitch, slicePitch, pDst));
}

ur_result_t urEnqueueMemImageWrite(ur_queue_handle_t hQueue, ur_mem_handle_t hImage,
                                   bool blockingWrite, ur_rect_offset_t origin,
                                   ur_rect_region_t region, size_t rowPitch, size_t slicePitch,
                                   void *pSrc, uint32_t numEventsInWaitList,
                                   const ur_event_handle_t *phEventWaitList,
                                   ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_MEM(hImage);
  UR_REQUIRE_POINTER(pSrc);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_IMAGE_WRITE, blockingWrite);
  return face_result(image_write(&sink, mem_of(hImage), ORIGIN_OF(origin), REGION_OF(region),
                                 rowPitch, slicePitch, pSrc));
}

ur_result_t urEnqueueMemImageCopy(ur_queue_handle_t hQueue, ur_mem_handle_t hImageSrc,
                                  ur_mem_handle_t hImageDst, ur_rect_offset_t srcOrigin,
                                  ur_rect_offset_t dstOrigin, ur_rect_region_t region,
                                  uint32_t numEventsInWaitList,
                                  const ur_event_handle_t *phEventWaitList,
                                  ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_MEM(hImageSrc);
  UR_REQUIRE_MEM(hImageDst);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_IMAGE_COPY, false);
  return face_result(image_copy(&sink, mem_of(hImageSrc), ORIGIN_OF(srcOrigin), mem_of(hImageDst),
                                ORIGIN_OF(dstOrigin), REGION_OF(region)));
}
