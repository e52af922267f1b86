#include "rect.h"

#include "../base/error.h"

/*
 * Two rows overlap if their starts differ by less than a row's width. Because the pitches are
 * equal, this compares the offset between the rectangles with y * row + z * slice, for y below
 * height and z below depth. A slice is at least as long as its rows, so only the two values of z
 * next to the offset can match, and for each of them only two values of y.
 */
bool transfer_overlaps(const transfer *transfer) {
  const uintptr_t a = transfer->from.start, b = transfer->to.start;
  const size_t distance = a < b ? b - a : a - b;
  const size_t row = transfer->from.row, slice = transfer->from.slice;
  const size_t z_near = distance / slice;
  for (size_t z = z_near; z <= z_near + 1 && z < transfer->depth; z++) {
    const size_t rest = distance > z * slice ? distance - z * slice : z * slice - distance;
    const size_t y_near = rest / row;
    for (size_t y = y_near; y <= y_near + 1 && y < transfer->height; y++)
      if (transfer_ranges_meet(rest, y * row, transfer->width))
        return true;
  }
  return false;
}

/* Adds count * size to *sum. Returns false on overflow. */
static bool add_product(size_t *sum, size_t count, size_t size) {
  size_t product;
  return !__builtin_mul_overflow(count, size, &product) &&
         !__builtin_add_overflow(*sum, product, sum);
}

static pi_result check_region(pi_buff_rect_region region) {
  REQUIRE(region->width_bytes != 0 && region->height_scalar != 0 && region->depth_scalar != 0,
          PI_ERROR_INVALID_VALUE, "the region is %zu bytes x %zu rows x %zu slices",
          region->width_bytes, region->height_scalar, region->depth_scalar);
  return PI_SUCCESS;
}

/*
 * Computes the pitches of a side, and the offsets of its first byte and of the end of its last byte
 * in its memory.
 */
static pi_result place_side(const rect_side *side, pi_buff_rect_region region,
                            transfer_side *placed, size_t *end) {
  size_t rows = 0, start = 0;
  const size_t row = side->row_pitch ? side->row_pitch : region->width_bytes;
  const bool has_rows = add_product(&rows, region->height_scalar, row);
  const size_t slice = side->slice_pitch ? side->slice_pitch : rows;
  REQUIRE(row >= region->width_bytes, PI_ERROR_INVALID_VALUE,
          "the row pitch of %s is %zu, its rows have %zu bytes", side->name, row,
          region->width_bytes);
  REQUIRE(has_rows && slice >= rows, PI_ERROR_INVALID_VALUE,
          "the slice pitch of %s is %zu, its slices have %zu rows with a pitch of %zu", side->name,
          slice, region->height_scalar, row);
  bool fits = add_product(&start, side->offset->z_scalar, slice) &&
              add_product(&start, side->offset->y_scalar, row) &&
              add_product(&start, side->offset->x_bytes, 1);
  *end = start;
  fits = fits && add_product(end, region->depth_scalar - 1, slice) &&
         add_product(end, region->height_scalar - 1, row) &&
         add_product(end, region->width_bytes, 1);
  REQUIRE(fits, PI_ERROR_INVALID_VALUE, "the region of %s exceeds the address space", side->name);
  *placed = (transfer_side){start, row, slice};
  return PI_SUCCESS;
}

static pi_result place_in(const rect_side *side, const rect_memory *memory,
                          pi_buff_rect_region region, transfer_side *placed) {
  size_t end;
  TRY(place_side(side, region, placed, &end));
  REQUIRE(memory->size != SIZE_MAX || end <= UINTPTR_MAX - memory->start, PI_ERROR_INVALID_VALUE,
          "the region at %s exceeds the address space", side->name);
  REQUIRE(end <= memory->size, PI_ERROR_INVALID_VALUE,
          "the region of %zux%zux%zu at %zu, %zu, %zu with pitches %zu and %zu leaves %s, which "
          "has %zu bytes",
          region->width_bytes, region->height_scalar, region->depth_scalar, side->offset->x_bytes,
          side->offset->y_scalar, side->offset->z_scalar, placed->row, placed->slice, side->name,
          memory->size);
  placed->start += memory->start;
  return PI_SUCCESS;
}

/* Requires equal pitches of two rectangles in one buffer, to find out whether they overlap. */
static pi_result check_overlap(const transfer *copy) {
  REQUIRE(copy->from.row == copy->to.row && copy->from.slice == copy->to.slice,
          PI_ERROR_INVALID_VALUE,
          "the rectangles are in one buffer and have different pitches, %zu and %zu, %zu and "
          "%zu",
          copy->from.row, copy->from.slice, copy->to.row, copy->to.slice);
  REQUIRE(!transfer_overlaps(copy), PI_ERROR_MEM_COPY_OVERLAP,
          "the rectangles of src_buffer and dst_buffer overlap");
  return PI_SUCCESS;
}

pi_result rect_read(const rect_side *from, const rect_memory *source, const rect_side *to,
                    const rect_memory *target, pi_buff_rect_region region, transfer *ret) {
  transfer made = {
      .width = region->width_bytes, .height = region->height_scalar, .depth = region->depth_scalar};
  TRY(check_region(region));
  TRY(place_in(from, source, region, &made.from));
  TRY(place_in(to, target, region, &made.to));
  if (source->whole && source->whole == target->whole)
    TRY(check_overlap(&made));
  *ret = made;
  return PI_SUCCESS;
}
