/*
 * Commands on parts of images; pi/ has the entries. The plugin checks that a part is inside its
 * image, because Intel's CPU runtime takes a sum of origin and region that wraps for a small one.
 */
#include "sink.h"

#include "../checks/usm_arguments.h"
#include "../objects/image_command.h"

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

pi_result image_read(sink *sink, pi_mem image, pi_image_offset origin, pi_image_region region,
                     size_t row_pitch, size_t slice_pitch, void *pointer) {
  TRY(check_transfer(image, origin, region, row_pitch, slice_pitch, pointer));
  return CL_ENQUEUE(EnqueueReadImage, cl_from_queue(sink->queue), cl_from_mem(image),
                    sink->is_blocking, sizes(origin), sizes(region), row_pitch, slice_pitch,
                    pointer);
}

pi_result image_write(sink *sink, pi_mem image, pi_image_offset origin, pi_image_region region,
                      size_t row_pitch, size_t slice_pitch, const void *pointer) {
  TRY(check_transfer(image, origin, region, row_pitch, slice_pitch, pointer));
  return CL_ENQUEUE(EnqueueWriteImage, cl_from_queue(sink->queue), cl_from_mem(image),
                    sink->is_blocking, sizes(origin), sizes(region), row_pitch, slice_pitch,
                    pointer);
}

pi_result image_copy(sink *sink, pi_mem from, pi_image_offset from_origin, pi_mem to,
                     pi_image_offset to_origin, pi_image_region region) {
  TRY(check_part(from, sizes(from_origin), sizes(region)));
  TRY(check_part(to, sizes(to_origin), sizes(region)));
  return CL_ENQUEUE(EnqueueCopyImage, cl_from_queue(sink->queue), cl_from_mem(from),
                    cl_from_mem(to), sizes(from_origin), sizes(to_origin), sizes(region));
}

pi_result image_fill(sink *sink, pi_mem image, const void *colour, const size_t *origin,
                     const size_t *region) {
  TRY(check_part(image, origin, region));
  return CL_ENQUEUE(EnqueueFillImage, cl_from_queue(sink->queue), cl_from_mem(image), colour,
                    origin, region);
}
