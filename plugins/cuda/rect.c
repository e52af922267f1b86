#include "rect.h"

/* *sum += count * size; false when that is more than a size_t holds. */
static bool add_product(size_t *sum, size_t count, size_t size) {
  size_t product;
  return !__builtin_mul_overflow(count, size, &product) &&
         !__builtin_add_overflow(*sum, product, sum);
}

static pi_result check_region(pi_buff_rect_region region) {
  PI_REQUIRE(region->width_bytes != 0 && region->height_scalar != 0 && region->depth_scalar != 0,
             PI_ERROR_INVALID_VALUE, "the region is %zu bytes x %zu rows x %zu slices",
             region->width_bytes, region->height_scalar, region->depth_scalar);
  return PI_SUCCESS;
}

/* The distances and the first byte of a side, relative to its memory; *end is behind the last. */
static pi_result place(const rect_side *side, pi_buff_rect_region region, transfer_side *placed,
                       size_t *end) {
  size_t rows = 0, start = 0;
  const size_t row = side->row_pitch ? side->row_pitch : region->width_bytes;
  const bool has_rows = add_product(&rows, region->height_scalar, row);
  const size_t slice = side->slice_pitch ? side->slice_pitch : rows;
  PI_REQUIRE(row >= region->width_bytes, PI_ERROR_INVALID_VALUE,
             "the row pitch of %s is %zu, its rows have %zu bytes", side->name, row,
             region->width_bytes);
  PI_REQUIRE(has_rows && slice >= rows, PI_ERROR_INVALID_VALUE,
             "the slice pitch of %s is %zu, its slices have %zu rows with a pitch of %zu",
             side->name, slice, region->height_scalar, row);
  bool fits = add_product(&start, side->offset->z_scalar, slice) &&
              add_product(&start, side->offset->y_scalar, row) &&
              add_product(&start, side->offset->x_bytes, 1);
  *end = start;
  fits = fits && add_product(end, region->depth_scalar - 1, slice) &&
         add_product(end, region->height_scalar - 1, row) &&
         add_product(end, region->width_bytes, 1);
  PI_REQUIRE(fits, PI_ERROR_INVALID_VALUE,
             "the region of %s does not end inside of the memory that there can be", side->name);
  *placed = (transfer_side){start, row, slice};
  return PI_SUCCESS;
}

static pi_result place_in_buffer(const rect_side *side, pi_mem buffer, pi_buff_rect_region region,
                                 transfer_side *placed) {
  size_t end;
  PI_REQUIRE(buffer->kind != MEMORY_IMAGE, PI_ERROR_INVALID_MEM_OBJECT, "%s is an image",
             side->name);
  PI_TRY(place(side, region, placed, &end));
  PI_REQUIRE(end <= buffer->size, PI_ERROR_INVALID_VALUE,
             "the region of %zux%zux%zu at %zu, %zu, %zu with pitches %zu and %zu leaves %s, which "
             "has %zu bytes",
             region->width_bytes, region->height_scalar, region->depth_scalar,
             side->offset->x_bytes, side->offset->y_scalar, side->offset->z_scalar, placed->row,
             placed->slice, side->name, buffer->size);
  placed->start += buffer->pointer;
  return PI_SUCCESS;
}

static pi_result place_in_host(const rect_side *side, const void *pointer,
                               pi_buff_rect_region region, transfer_side *placed) {
  size_t end;
  PI_TRY(place(side, region, placed, &end));
  PI_REQUIRE(end <= UINTPTR_MAX - (uintptr_t)pointer, PI_ERROR_INVALID_VALUE,
             "the region at ptr does not end inside of the memory that there can be");
  placed->start += cu_pointer(pointer);
  return PI_SUCCESS;
}

static void set_region(transfer *transfer, pi_buff_rect_region region) {
  transfer->width = region->width_bytes;
  transfer->height = region->height_scalar;
  transfer->depth = region->depth_scalar;
}

static pi_mem whole(pi_mem buffer) {
  return buffer->parent ? buffer->parent : buffer;
}

/* Of rectangles in one buffer the pitches must be equal: then it is known whether they overlap. */
static pi_result check_overlap(pi_mem source, pi_mem target, const transfer *copy) {
  if (whole(source) != whole(target))
    return PI_SUCCESS;
  PI_REQUIRE(copy->from.row == copy->to.row && copy->from.slice == copy->to.slice,
             PI_ERROR_INVALID_VALUE,
             "the rectangles are in one buffer and have different pitches, %zu and %zu, %zu and "
             "%zu",
             copy->from.row, copy->from.slice, copy->to.row, copy->to.slice);
  PI_REQUIRE(!transfer_overlaps(copy), PI_ERROR_MEM_COPY_OVERLAP,
             "the rectangles of src_buffer and dst_buffer overlap");
  return PI_SUCCESS;
}

pi_result rect_to_host(const rect_side *device, pi_mem buffer, const rect_side *host,
                       const void *pointer, pi_buff_rect_region region, transfer *ret) {
  transfer made;
  PI_TRY(check_region(region));
  PI_TRY(place_in_buffer(device, buffer, region, &made.from));
  PI_TRY(place_in_host(host, pointer, region, &made.to));
  set_region(&made, region);
  *ret = made;
  return PI_SUCCESS;
}

pi_result rect_from_host(const rect_side *host, const void *pointer, const rect_side *device,
                         pi_mem buffer, pi_buff_rect_region region, transfer *ret) {
  transfer back;
  PI_TRY(rect_to_host(device, buffer, host, pointer, region, &back));
  *ret = back;
  ret->from = back.to;
  ret->to = back.from;
  return PI_SUCCESS;
}

pi_result rect_between(const rect_side *from, pi_mem source, const rect_side *to, pi_mem target,
                       pi_buff_rect_region region, transfer *ret) {
  transfer made;
  PI_TRY(check_region(region));
  PI_TRY(place_in_buffer(from, source, region, &made.from));
  PI_TRY(place_in_buffer(to, target, region, &made.to));
  set_region(&made, region);
  PI_TRY(check_overlap(source, target, &made));
  *ret = made;
  return PI_SUCCESS;
}
