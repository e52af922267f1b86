/*
 * Commands on parts of images. The plugin checks that a part is inside its image, because Intel's
 * CPU runtime takes a sum of origin and region that wraps for a small one.
 */
#include "checks.h"

#include "../checks/image_shape.h"
#include "../checks/usm_arguments.h"

IS_THREE_SIZES(pi_image_offset_struct, x, y, z);
IS_THREE_SIZES(pi_image_region_struct, width, height, depth);

static pi_result get_size(cl_mem image, cl_image_info query, size_t *ret) {
  return CL_GET(Image, image, query, ret);
}

/* Reads the image's sizes; 1 for a dimension that it does not have. */
static pi_result read_shape(pi_mem image, image_shape *ret) {
  const cl_mem object = cl_from_mem(image);
  cl_mem_object_type type;
  TRY(CL_GET(MemObject, object, CL_MEM_TYPE, &type));
  size_t layers;
  image_shape shape = {.type = (pi_mem_type)type};
  TRY(get_size(object, CL_IMAGE_WIDTH, &shape.width));
  TRY(get_size(object, CL_IMAGE_HEIGHT, &shape.height));
  TRY(get_size(object, CL_IMAGE_DEPTH, &shape.depth));
  TRY(get_size(object, CL_IMAGE_ARRAY_SIZE, &layers));
  const bool is_array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  shape.depth = is_array ? layers : shape.depth ? shape.depth : 1;
  shape.height = shape.height ? shape.height : 1;
  *ret = shape;
  return PI_SUCCESS;
}

static pi_result check_part(pi_mem image, const size_t *origin, const size_t *region) {
  image_shape shape;
  image_box box;
  TRY(read_shape(image, &shape));
  return image_box_read(&shape, origin, region, &box);
}

/* Checks a part of an image, and the host memory that it is copied from or to. */
static pi_result check_transfer(pi_mem image, pi_image_offset origin, pi_image_region region,
                                size_t row_pitch, size_t slice_pitch, const void *ptr) {
  image_shape shape;
  image_box box;
  size_t pixel, size;
  TRY(read_shape(image, &shape));
  TRY(image_region_read(&shape, origin, region, &box));
  TRY(get_size(cl_from_mem(image), CL_IMAGE_ELEMENT_SIZE, &pixel));
  const image_extent extent = {box.width * pixel, box.height, box.depth};
  TRY(image_pitches(PI_ERROR_INVALID_VALUE, &extent, &row_pitch, &slice_pitch, &size));
  return check_bytes("ptr", ptr, size);
}

pi_result piEnqueueMemImageRead(pi_queue queue, pi_mem image, pi_bool blocking_read,
                                pi_image_offset origin, pi_image_region region, size_t row_pitch,
                                size_t slice_pitch, void *ptr, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_POINTER(origin);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  TRY(check_transfer(image, origin, region, row_pitch, slice_pitch, ptr));
  cl_event made = NULL;
  return CL_ENQUEUE(EnqueueReadImage, cl_from_queue(queue), cl_from_mem(image),
                    blocking_read != PI_FALSE, sizes(origin), sizes(region), row_pitch, slice_pitch,
                    ptr);
}

pi_result piEnqueueMemImageWrite(pi_queue queue, pi_mem image, pi_bool blocking_write,
                                 pi_image_offset origin, pi_image_region region,
                                 size_t input_row_pitch, size_t input_slice_pitch, const void *ptr,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_POINTER(origin);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  TRY(check_transfer(image, origin, region, input_row_pitch, input_slice_pitch, ptr));
  cl_event made = NULL;
  return CL_ENQUEUE(EnqueueWriteImage, cl_from_queue(queue), cl_from_mem(image),
                    blocking_write != PI_FALSE, sizes(origin), sizes(region), input_row_pitch,
                    input_slice_pitch, ptr);
}

pi_result piEnqueueMemImageCopy(pi_queue queue, pi_mem src_image, pi_mem dst_image,
                                pi_image_offset src_origin, pi_image_offset dst_origin,
                                pi_image_region region, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(src_image);
  REQUIRE_MEM(dst_image);
  REQUIRE_POINTER(src_origin);
  REQUIRE_POINTER(dst_origin);
  REQUIRE_POINTER(region);
  REQUIRE_WAIT_LIST();
  TRY(check_part(src_image, sizes(src_origin), sizes(region)));
  TRY(check_part(dst_image, sizes(dst_origin), sizes(region)));
  cl_event made = NULL;
  return CL_ENQUEUE(EnqueueCopyImage, cl_from_queue(queue), cl_from_mem(src_image),
                    cl_from_mem(dst_image), sizes(src_origin), sizes(dst_origin), sizes(region));
}

pi_result piEnqueueMemImageFill(pi_queue queue, pi_mem image, const void *fill_color,
                                const size_t *origin, const size_t *region,
                                pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_POINTER(fill_color);
  REQUIRE_POINTER(origin);
  REQUIRE_POINTER(region);
  REQUIRE_WAIT_LIST();
  TRY(check_part(image, origin, region));
  cl_event made = NULL;
  return CL_ENQUEUE(EnqueueFillImage, cl_from_queue(queue), cl_from_mem(image), fill_color, origin,
                    region);
}
