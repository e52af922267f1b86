#include "emit.h"

#include "child.h"
#include "depend.h"
#include "input.h"
#include "spirv_sets.h"

#include <stdlib.h>
#include <string.h>

/* The output, in memory that free_data frees. */
typedef struct data {
  const void *bytes; /* may be a part of an image */
  size_t size;
  void *owned;
} data;

/* ---- From one image ---- */

static bool form(const cc_image *image, specpi_compiler_form wanted, data *ret) {
  return specpiCompilerOutputGetData(image->output, wanted, &ret->bytes, &ret->size) ==
             SPECPI_COMPILER_SUCCESS ||
         CC_FAIL("%s: %s", image->file, specpiCompilerGetLastError());
}

static bool make_json(const cc_image *image, data *ret) {
  if (!image->as_it_is)
    return form(image, SPECPI_COMPILER_FORM_JSON, ret);
  char *text = spirv_json(&image->spirv);
  *ret = (data){.bytes = text, .size = strlen(text), .owned = text};
  return true;
}

static bool make_properties(const cc_image *image, data *ret) {
  if (!image->as_it_is)
    return form(image, SPECPI_COMPILER_FORM_PROP, ret);
  specpi_compiler_properties properties;
  if (!spirv_sets(image->file, &image->spirv, &properties))
    return false;
  char *text;
  const bool done = specpiCompilerPropertiesWrite(properties, SPECPI_COMPILER_PROPERTY_FORM_TEXT,
                                                  &text, &ret->size) == SPECPI_COMPILER_SUCCESS;
  specpiCompilerPropertiesRelease(properties);
  if (!done)
    return CC_FAIL("%s: %s", image->file, specpiCompilerGetLastError());
  ret->owned = text;
  ret->bytes = text;
  return true;
}

static bool make_one(cc_work *work, cc_image *image, data *ret) {
  switch (work->options->emit) {
  case CC_EMIT_JSON:
    return make_json(image, ret);
  case CC_EMIT_PROPS:
    return make_properties(image, ret);
  case CC_EMIT_BC:
    if (image->as_it_is)
      return CC_FAIL("%s: SPIR-V is taken as it is, there is no bitcode of it", image->file);
    return form(image, SPECPI_COMPILER_FORM_BC, ret);
  default:
    if (!cc_image_generate(work, image))
      return false;
    ret->bytes = image->code;
    ret->size = image->code_size;
    return true;
  }
}

/* ---- From all of them ---- */

/* Fills in an image for the wrapper. What is new belongs to it until free_wrapped. */
static bool describe_image(const cc_options *options, const cc_image *image,
                           specpi_compiler_image *ret) {
  const bool ptx = image->target == CC_TARGET_NVPTX64;
  const bool as_spirv = !ptx || options->sycl_native;
  specpi_compiler_properties properties;
  if (!cc_image_properties(image, &properties))
    return false;
  size_t count = 0;
  while (cc_image_kernel(image, count))
    count++;
  const char **kernels = cc_new(count, sizeof *kernels);
  for (size_t i = 0; i < count; i++)
    kernels[i] = cc_image_kernel(image, i);
  *ret = (specpi_compiler_image){
      .target = cc_target_name(as_spirv ? CC_TARGET_SPIR64 : CC_TARGET_NVPTX64),
      .format = as_spirv ? SPECPI_COMPILER_IMAGE_FORMAT_SPIRV : SPECPI_COMPILER_IMAGE_FORMAT_NATIVE,
      .data = image->code,
      .size = image->code_size,
      .kernels = kernels,
      .kernel_count = count,
      .properties = properties,
  };
  return true;
}

static void free_wrapped(specpi_compiler_image *wrapped, size_t count) {
  for (size_t i = 0; i < count; i++) {
    specpiCompilerPropertiesRelease(wrapped[i].properties);
    free((void *)wrapped[i].kernels);
  }
  free(wrapped);
}

bool cc_emit_wrap(const cc_options *options, const specpi_compiler_image *images, size_t count,
                  void **ret, size_t *size) {
  const specpi_compiler_wrap_options how = {
      .registers = options->emit != CC_EMIT_IMAGE,
      .symbol = options->symbol,
  };
  specpi_compiler compiler = NULL;
  const bool done =
      specpiCompilerCreate(&compiler) == SPECPI_COMPILER_SUCCESS &&
      specpiCompilerWrap(compiler, count, images, &how, ret, size) == SPECPI_COMPILER_SUCCESS;
  if (!done)
    cc_error("%s: %s", options->out, specpiCompilerGetLastError());
  specpiCompilerRelease(compiler);
  return done;
}

static bool wrap_images(const cc_work *work, const cc_image *images, size_t count, data *ret) {
  const cc_options *options = work->options;
  specpi_compiler_image *wrapped = cc_new(count, sizeof *wrapped);
  bool done = true;
  size_t wrapped_count = 0;
  for (size_t i = 0; i < count && done; i++)
    if (images[i].code) { /* others are empty */
      done = describe_image(options, &images[i], &wrapped[wrapped_count]);
      wrapped_count += done;
    }
  done = done && cc_emit_wrap(options, wrapped, wrapped_count, &ret->owned, &ret->size);
  ret->bytes = ret->owned;
  free_wrapped(wrapped, wrapped_count);
  return done;
}

/* Puts a shared library in place of an object. */
static bool link_library(cc_work *work, data *library) {
  char *object = cc_work_file(work, ".o");
  char *joined = cc_work_file(work, ".so");
  const char *const words[] = {work->options->linker, "-shared", object, "-o", joined};
  cc_texts command = {0};
  CC_TEXTS_ADD_ARRAY(&command, words);
  file_bytes bytes;
  const bool done =
      file_write(object, object, library->bytes, library->size, false) &&
      child_run(&command, "--cc", work->options->out, joined, work->options->verbose) &&
      file_read(joined, &bytes);
  cc_texts_free(&command);
  free(joined);
  free(object);
  if (!done)
    return false;
  free(library->owned);
  *library = (data){.bytes = bytes.data, .size = bytes.size, .owned = bytes.data};
  return true;
}

static bool make_output(cc_work *work, cc_image *images, size_t count, data *ret) {
  const cc_emit emit = work->options->emit;
  if (emit != CC_EMIT_OBJ && emit != CC_EMIT_SO && emit != CC_EMIT_IMAGE)
    return make_one(work, &images[0], ret);
  for (size_t i = 0; i < count; i++)
    if (!cc_image_is_empty(&images[i]) && !cc_image_generate(work, &images[i]))
      return false;
  return wrap_images(work, images, count, ret) && (emit != CC_EMIT_SO || link_library(work, ret));
}

/* Adds a FILE and what clang read to compile it for a target; depend is NULL where nobody asks. */
static bool add_dependences(const cc_work *work, const char *file, cc_target target,
                            cc_depend *depend) {
  cc_input kind;
  if (!depend)
    return true;
  cc_depend_add_path(depend, file);
  if (!cc_input_kind(file, &kind))
    return false;
  if (kind != CC_INPUT_SOURCE && kind != CC_INPUT_CPP)
    return true;
  char *read = cc_work_dependences(work, target);
  const bool done = cc_depend_add(depend, read, work->scratch);
  free(read);
  return done;
}

static bool make_preprocessed(cc_work *work, cc_depend *depend, data *ret) {
  const cc_options *options = work->options;
  const char *file = options->files.items[0];
  char *text = cc_work_file(work, ".i");
  file_bytes bytes;
  const bool done = cc_input_preprocess(work, file, options->targets[0], text) &&
                    add_dependences(work, file, options->targets[0], depend) &&
                    file_read(text, &bytes);
  free(text);
  if (done)
    *ret = (data){.bytes = bytes.data, .size = bytes.size, .owned = bytes.data};
  return done;
}

/* Makes all images, and the output from them; depend as in add_dependences. */
static bool make_all(cc_work *work, cc_depend *depend, data *ret) {
  const cc_options *options = work->options;
  if (options->emit == CC_EMIT_PREPROCESSED)
    return make_preprocessed(work, depend, ret);
  const size_t count = options->files.count * options->target_count;
  cc_image *images = cc_new(count, sizeof *images);
  bool done = true;
  for (size_t i = 0; i < count && done; i++) {
    const char *file = options->files.items[i / options->target_count];
    const cc_target target = options->targets[i % options->target_count];
    done = cc_image_lower(work, file, target, &images[i]) &&
           add_dependences(work, file, target, depend);
  }
  done = done && make_output(work, images, count, ret);
  /* An image may be what was made. */
  if (done && !ret->owned && ret->bytes) {
    ret->owned = cc_new(ret->size, 1);
    memcpy(ret->owned, ret->bytes, ret->size);
    ret->bytes = ret->owned;
  }
  for (size_t i = 0; i < count; i++)
    cc_image_free(&images[i]);
  free(images);
  return done;
}

bool cc_emit_write(cc_work *work, const char *temporary, const char *depend_temporary) {
  const cc_options *options = work->options;
  data made = {0};
  cc_depend depend = {0};
  if (options->depend_out)
    work->depend = cc_work_file(work, "");
  const bool done =
      make_all(work, options->depend_out ? &depend : NULL, &made) &&
      (!options->depend_out || cc_depend_write(&depend, options, depend_temporary)) &&
      file_write(options->out, temporary, made.bytes, made.size, options->emit == CC_EMIT_SO);
  if (options->depend_out)
    free((char *)work->depend);
  cc_depend_free(&depend);
  free(made.owned);
  return done;
}

bool cc_emit_object(cc_work *work, void **ret, size_t *size) {
  data made = {0};
  const bool done = make_all(work, NULL, &made);
  *ret = made.owned;
  *size = made.size;
  return done;
}
