#include "ptx_image.h"

#include "../base/digits.h"
#include "../base/error.h"
#include "../base/find.h"

#include <ctype.h>
#include <specpi/ptx_trailer.h>
#include <stdlib.h>
#include <string.h>

/* Shortest possible line of a trailer, in bytes. */
enum { LINE_SIZE_MIN = 15 };

/* ---- Words of lines ---- */

/* Reads a trailer. After the first wrong byte the take functions do nothing. */
typedef struct reader {
  const char *at;
  const char *end;
  const char *text;  /* of the image */
  const char *wrong; /* description of the text expected at `at`; NULL: no error so far */
  const char *quote; /* printed around wrong: "\"" if wrong is literal text, else "" */
  size_t line;       /* line of the trailer, counted from 1 */
  char *name;        /* position for the next name in image->names */
} reader;

/*
 * LINE_REQUIRE checks a condition about a line; the line's number is the first variadic argument
 * after the format. LINE_END checks the words of the line and its end.
 */
#define LINE_REQUIRE(condition, ...)                                                               \
  REQUIRE(condition, PI_ERROR_INVALID_BINARY,                                                      \
          "damaged PTX image: line %zu of its trailer: " __VA_ARGS__)
#define LINE_END(r) TRY(end_line(r))

static void take_text(reader *r, const char *word) {
  const size_t length = strlen(word);
  if (r->wrong)
    return;
  if ((size_t)(r->end - r->at) >= length && memcmp(r->at, word, length) == 0) {
    r->at += length;
    return;
  }
  const bool end = word[0] == '\n';
  r->wrong = end ? "its end" : word;
  r->quote = end ? "" : "\"";
}

/* Reads the word if it is next; returns whether it is. */
static bool take_if(reader *r, const char *word) {
  const size_t length = strlen(word);
  if (r->wrong || (size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
    return false;
  r->at += length;
  return true;
}

/* Reads a space and a number without leading zeros. */
static pi_uint32 take_number(reader *r) {
  take_text(r, " ");
  const bool zero = take_if(r, "0");
  uint64_t value = 0;
  if (!r->wrong && !zero && !digits_read(&r->at, r->end, UINT32_MAX, &value))
    r->wrong = "a number up to 4294967295";
  return (pi_uint32)value;
}

/* Reads two hexadecimal digits. */
static unsigned char take_byte(reader *r) {
  unsigned char byte = 0;
  if (r->wrong)
    return 0;
  if (r->end - r->at < 2 || isupper((unsigned char)r->at[0]) || isupper((unsigned char)r->at[1]) ||
      !digits_read_hex(r->at, 1, &byte)) {
    r->wrong = "two digits of 0-9 and a-f";
    return 0;
  }
  r->at += 2;
  return byte;
}

/* Reads a space and a name, and resolves the name's escapes. */
static const char *take_name(reader *r) {
  const char *const name = r->name;
  take_text(r, " ");
  while (!r->wrong && r->at<r->end && * r->at> ' ' && *r->at < 0x7f) {
    char c = *r->at;
    if (take_if(r, "%"))
      c = (char)take_byte(r);
    else
      r->at++;
    if (!r->wrong && c == '\0')
      r->wrong = "a name without bytes of value 0";
    *r->name++ = c;
  }
  if (!r->wrong && r->name == name)
    r->wrong = "a name";
  *r->name++ = '\0';
  return name;
}

static pi_result end_line(reader *r) {
  take_text(r, "\n");
  LINE_REQUIRE(!r->wrong, "expected %s%s%s", r->line, r->quote, r->wrong, r->quote);
  r->line++;
  return PI_SUCCESS;
}

/* ---- Lines ---- */

/* Progress of reading the lines of a trailer into an image. */
typedef struct filling {
  ptx_image *image;
  pi_uint32 leaves_left; /* leaves that the head announces and that were not read yet */
  uint64_t next_id;      /* smallest id that the next leaf may have */
  uint64_t end_of_last;  /* end of the last constant, later of the last place */
} filling;

static pi_result read_leaf(reader *r, filling *to, const ptx_image_constant *of, uint64_t *end) {
  const bool patch = to->image->mode == PTX_PATCH;
  take_text(r, SPECPI_PTX_LEAF);
  ptx_image_leaf leaf = {.id = take_number(r), .offset = 0};
  leaf.offset = take_number(r);
  leaf.size = take_number(r);
  LINE_END(r);
  const bool padding = leaf.id == PTX_NONE;
  const uint64_t behind = (uint64_t)leaf.offset + leaf.size;
  const size_t line = r->line - 1;
  LINE_REQUIRE(leaf.size != 0, "the leaf at offset %u has no bytes", line, leaf.offset);
  LINE_REQUIRE(leaf.offset >= *end, "the leaf at offset %u overlaps the one before", line,
               leaf.offset);
  LINE_REQUIRE(behind <= of->size || (padding && !patch),
               "the leaf of %u bytes at offset %u leaves its constant of %u bytes", line, leaf.size,
               leaf.offset, of->size);
  *end = behind;
  if (padding)
    return PI_SUCCESS;
  LINE_REQUIRE(leaf.id >= to->next_id, "leaf %u does not have a larger id than all before", line,
               leaf.id);
  LINE_REQUIRE(!patch || (leaf.size <= 8 && (leaf.size & (leaf.size - 1)) == 0),
               "leaf %u has %u bytes, and a scalar 1, 2, 4 or 8", line, leaf.id, leaf.size);
  leaf.at = (size_t)of->position + leaf.offset;
  to->next_id = (uint64_t)leaf.id + 1;
  to->image->leaves[to->image->leaf_count++] = leaf;
  return PI_SUCCESS;
}

static pi_result read_constant(reader *r, filling *to, ptx_image_constant *constant) {
  take_text(r, SPECPI_PTX_CONSTANT);
  constant->name = take_name(r);
  if (!take_if(r, SPECPI_PTX_SCALAR))
    take_text(r, SPECPI_PTX_COMPOSITE);
  constant->position = take_number(r);
  constant->size = take_number(r);
  const pi_uint32 leaves = take_number(r);
  LINE_END(r);
  const uint64_t behind = (uint64_t)constant->position + constant->size;
  LINE_REQUIRE(constant->position >= to->end_of_last && behind <= to->image->default_size,
               "the constant of %u bytes at position %u overlaps the one before or leaves the %u "
               "bytes of all",
               r->line - 1, constant->size, constant->position, to->image->default_size);
  LINE_REQUIRE(leaves != 0 && leaves <= to->leaves_left, "%u leaves, and of all %u are left",
               r->line - 1, leaves, to->leaves_left);
  to->end_of_last = behind;
  to->leaves_left -= leaves;
  constant->first_leaf = to->image->leaf_count;
  uint64_t end = 0;
  for (pi_uint32 i = 0; i < leaves; i++)
    TRY(read_leaf(r, to, constant, &end));
  constant->leaf_count = to->image->leaf_count - constant->first_leaf;
  return PI_SUCCESS;
}

static pi_result read_bytes(reader *r, ptx_image *image) {
  for (pi_uint32 at = 0; at < image->default_size;) {
    take_text(r, SPECPI_PTX_BYTES);
    for (pi_uint32 i = 0; i < SPECPI_PTX_BYTES_IN_LINE && at < image->default_size; i++)
      image->defaults[at++] = take_byte(r);
    LINE_END(r);
  }
  return PI_SUCCESS;
}

static pi_result read_place(reader *r, filling *to, ptx_image_place *place) {
  take_text(r, SPECPI_PTX_PLACE);
  const pi_uint32 id = take_number(r);
  place->offset = take_number(r);
  place->size = take_number(r);
  LINE_END(r);
  const ptx_image *image = to->image;
  const ptx_image_leaf *leaf = ptx_image_find_leaf(image, id);
  const size_t line = r->line - 1;
  LINE_REQUIRE(image->mode == PTX_PATCH, "only an image of mode patch has places", line);
  LINE_REQUIRE(leaf && leaf->size == place->size, "no leaf %u has %u bytes", line, id, place->size);
  const uint64_t behind = (uint64_t)place->offset + 2 * (uint64_t)place->size;
  LINE_REQUIRE(place->offset >= to->end_of_last + 2,
               "the place at %u overlaps the one before or begins with the text", line,
               place->offset);
  LINE_REQUIRE(behind < image->text_size, "the place at %u leaves the text of %zu bytes", line,
               place->offset, image->text_size);
  char digits[16];
  digits_write_word(image->defaults + leaf->at, leaf->size, digits);
  const char *text = r->text + place->offset;
  LINE_REQUIRE(memcmp(text - 2, "0x", 2) == 0 &&
                   memcmp(text, digits, 2 * (size_t)place->size) == 0 && r->text[behind] == ';',
               "at %u of the text is not 0x%.*s; with the default of leaf %u", line, place->offset,
               (int)(2 * place->size), digits, id);
  place->at = leaf->at;
  to->end_of_last = behind;
  return PI_SUCCESS;
}

static pi_result read_kernel(reader *r, ptx_image_kernel *kernel) {
  take_text(r, SPECPI_PTX_KERNEL);
  kernel->name = take_name(r);
  kernel->buffer_argument = take_if(r, SPECPI_PTX_NO_ARGUMENT) ? PTX_NONE : take_number(r);
  for (size_t i = 0; i < 3; i++)
    kernel->required_size[i] = take_number(r);
  const bool has_sub_group = r->at < r->end && *r->at == ' ';
  kernel->sub_group = has_sub_group ? take_number(r) : 0;
  kernel->local_memory = r->at < r->end && *r->at == ' ' ? take_number(r) : 0;
  LINE_END(r);
  const pi_uint32 *size = kernel->required_size;
  const int zeros = (size[0] == 0) + (size[1] == 0) + (size[2] == 0);
  LINE_REQUIRE(zeros == 0 || zeros == 3, "%u x %u x %u is no work-group size", r->line - 1, size[0],
               size[1], size[2]);
  const bool is_none = kernel->sub_group == 0 && (!has_sub_group || kernel->local_memory != 0);
  LINE_REQUIRE(is_none || kernel->sub_group == 8 || kernel->sub_group == 16 ||
                   kernel->sub_group == 32,
               "%u is no size of sub-groups", r->line - 1, kernel->sub_group);
  return PI_SUCCESS;
}

/* Reads the optional line that says where the variants for launches with an offset start. */
static pi_result read_offsets(reader *r, ptx_image *image) {
  if (!take_if(r, SPECPI_PTX_OFFSETS))
    return PI_SUCCESS;
  const pi_uint32 at = take_number(r);
  LINE_END(r);
  LINE_REQUIRE(at != 0 && at < image->text_size && r->text[at - 1] == '\n',
               "at %u of the text of %zu bytes begins no line", r->line - 1, at, image->text_size);
  image->plain_size = at;
  return PI_SUCCESS;
}

static ptx_image_mode take_mode(reader *r) {
#define PTX_MODE(NAME, name)                                                                       \
  if (take_if(r, name))                                                                            \
    return PTX_##NAME;
  PTX_MODES(PTX_MODE)
#undef PTX_MODE
  if (!r->wrong)
    r->wrong = "a mode";
  return PTX_PLAIN;
}

static pi_result read_head(reader *r, ptx_image *image) {
  const size_t size = (size_t)(r->end - r->at);
  take_text(r, SPECPI_PTX_HEAD);
  image->mode = take_mode(r);
  image->constant_count = take_number(r);
  image->leaf_count = take_number(r);
  image->default_size = take_number(r);
  image->place_count = take_number(r);
  image->kernel_count = take_number(r);
  LINE_END(r);
  const uint64_t lines = (uint64_t)image->constant_count + image->leaf_count + image->place_count +
                         image->kernel_count + image->default_size / SPECPI_PTX_BYTES_IN_LINE;
  LINE_REQUIRE(lines <= size / LINE_SIZE_MIN && image->default_size <= size / 2,
               "%zu bytes of trailer cannot have so much", (size_t)1, size);
  return PI_SUCCESS;
}

/* Allocates the arrays. read_head has checked that their counts fit the trailer's size. */
static pi_result allocate_image(ptx_image *image, size_t trailer_size) {
  image->constants = calloc((size_t)image->constant_count + 1, sizeof *image->constants);
  image->leaves = calloc((size_t)image->leaf_count + 1, sizeof *image->leaves);
  image->defaults = calloc((size_t)image->default_size + 1, 1);
  image->places = calloc((size_t)image->place_count + 1, sizeof *image->places);
  image->kernels = calloc((size_t)image->kernel_count + 1, sizeof *image->kernels);
  image->names = calloc(trailer_size, 1); /* a name and its zero are shorter than its line */
  REQUIRE(image->constants && image->leaves && image->defaults && image->places && image->kernels &&
              image->names,
          PI_ERROR_OUT_OF_HOST_MEMORY, "no memory to read a PTX trailer of %zu bytes",
          trailer_size);
  return PI_SUCCESS;
}

static pi_result read_trailer(reader *r, ptx_image *image) {
  const size_t size = (size_t)(r->end - r->at);
  TRY(read_head(r, image));
  TRY(allocate_image(image, size));
  r->name = image->names;
  filling to = {.image = image, .leaves_left = image->leaf_count};
  image->leaf_count = 0; /* read_leaf counts up again */
  for (pi_uint32 i = 0; i < image->constant_count; i++)
    TRY(read_constant(r, &to, &image->constants[i]));
  LINE_REQUIRE(to.leaves_left == 0, "the constants before have %u leaves too few", r->line,
               to.leaves_left);
  TRY(read_bytes(r, image));
  to.end_of_last = 0;
  for (pi_uint32 i = 0; i < image->place_count; i++)
    TRY(read_place(r, &to, &image->places[i]));
  for (pi_uint32 i = 0; i < image->kernel_count; i++)
    TRY(read_kernel(r, &image->kernels[i]));
  TRY(read_offsets(r, image));
  LINE_REQUIRE(r->end - r->at == SPECPI_PTX_END_SIZE,
               "there are more lines than the first one says", r->line);
  return PI_SUCCESS;
}

/* ---- The image ---- */

/* Reads ten decimal digits, which may start with zeros, and the text after them. */
static bool take_padded(reader *r, const char *after, uint64_t *ret) {
  const char *end = r->at + 10;
  return r->end - r->at >= 10 && digits_read(&r->at, end, UINT64_MAX, ret) && r->at == end &&
         take_if(r, after);
}

/*
 * Reads the text's size and the image's hash from the last line of a trailer. Returns false if the
 * bytes do not end with such a line.
 */
static bool take_end(const char *bytes, size_t size, uint64_t *text_size, uint64_t *hash) {
  if (size < SPECPI_PTX_END_SIZE)
    return false;
  reader r = {.at = bytes + size - SPECPI_PTX_END_SIZE, .end = bytes + size};
  uint64_t trailer_size;
  *hash = 0;
  take_text(&r, SPECPI_PTX_END);
  if (r.wrong || !take_padded(&r, " ", text_size) || !take_padded(&r, " ", &trailer_size))
    return false;
  for (int i = 0; i < 8; i++)
    *hash = *hash << 8 | take_byte(&r);
  take_text(&r, "\n");
  return !r.wrong && *text_size + trailer_size == size;
}

uint64_t ptx_image_hash(const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash;
}

static pi_result read_image(const char *bytes, size_t size, ptx_image *image) {
  while (size != 0 && bytes[size - 1] == '\0')
    size--;
  uint64_t text_size;
  uint64_t hash;
  image->mode = PTX_PLAIN;
  image->text_size = image->plain_size = size;
  if (!take_end(bytes, size, &text_size, &hash))
    return PI_SUCCESS;
  REQUIRE(hash == ptx_image_hash(bytes, size - SPECPI_PTX_HASH_SIZE), PI_ERROR_INVALID_BINARY,
          "damaged PTX image: the hash in the last line of its trailer is not that of its %zu "
          "bytes",
          size);
  image->text_size = image->plain_size = (size_t)text_size;
  reader r = {.at = bytes + text_size, .end = bytes + size, .text = bytes, .quote = "", .line = 1};
  return read_trailer(&r, image);
}

pi_result ptx_image_read(const void *image, size_t size, ptx_image **ret) {
  REQUIRE(image && size != 0, PI_ERROR_INVALID_VALUE, "the PTX image is NULL or empty");
  REQUIRE(ret, PI_ERROR_INVALID_VALUE, "ret is NULL");
  ptx_image *made = calloc(1, sizeof *made);
  REQUIRE(made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory to read a PTX image");
  const pi_result result = read_image(image, size, made);
  if (result == PI_SUCCESS)
    *ret = made;
  else
    ptx_image_free(made);
  return result;
}

void ptx_image_free(ptx_image *image) {
  if (!image)
    return;
  free(image->constants);
  free(image->leaves);
  free(image->defaults);
  free(image->places);
  free(image->kernels);
  free(image->names);
  free(image);
}

const ptx_image_leaf *ptx_image_find_leaf(const ptx_image *image, pi_uint32 id) {
  return find_id(id, image->leaves, image->leaf_count, sizeof *image->leaves);
}

void ptx_image_write(const ptx_image *image, const void *bytes, const unsigned char *values,
                     char *ret) {
  memcpy(ret, bytes, image->text_size);
  for (pi_uint32 i = 0; i < image->place_count; i++)
    digits_write_word(values + image->places[i].at, image->places[i].size,
                      ret + image->places[i].offset);
  ret[image->text_size] = '\0';
}

bool ptx_image_is_patched(const void *image, size_t size) {
  static const char head[] = SPECPI_PTX_HEAD "patch ";
  const char *text = image;
  while (size > 0 && text[size - 1] == '\0')
    size--;
  if (size < SPECPI_PTX_END_SIZE)
    return false;
  const char *end = text + size - SPECPI_PTX_END_SIZE;
  if (memcmp(end, SPECPI_PTX_END, sizeof SPECPI_PTX_END - 1) != 0)
    return false;
  uint64_t at = 0; /* offset of the trailer's head */
  end += sizeof SPECPI_PTX_END - 1;
  (void)digits_read(&end, end + 10, UINT64_MAX, &at);
  return at < size && size - at > sizeof head && memcmp(text + at, head, sizeof head - 1) == 0 &&
         text[at + sizeof head - 1] != '0';
}
