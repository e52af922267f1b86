#include "image.h"

#include "input.h"
#include "place.h"
#include "spirv_sets.h"
#include "translate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *cc_work_file(cc_work *work, const char *suffix) {
  return cc_format("%s/%u%s", work->scratch, work->file_number++, suffix);
}

char *cc_work_dependences(const cc_work *work, cc_target target) {
  return work->depend ? cc_format("%s.%s.d", work->depend, cc_target_name(target)) : NULL;
}

void cc_work_free(cc_work *work) {
  cc_texts_free(&work->host_directories);
  file_free(&work->host_words);
  free(work->compiled.text);
  free(work->compiled.kernels);
}

/* The library's latest error, about a file; the path that was read may stand before it. */
static bool read_failed(const char *file, const char *path) {
  const char *text = specpiCompilerGetLastError();
  const size_t size = strlen(path);
  if (strncmp(text, path, size) == 0 && strncmp(text + size, ": ", 2) == 0)
    text += size + 2;
  return CC_FAIL("%s: %s", file, text);
}

static bool library_failed(const char *file) {
  return read_failed(file, file);
}

/* Optimises what clang has compiled without its passes; the generator of PTX does it itself. */
static specpi_compiler_result optimise_module(cc_image *image, bool compiled,
                                              specpi_compiler_optimization level) {
  return compiled && image->target == CC_TARGET_SPIR64
             ? specpiCompilerModuleOptimize(image->module, level)
             : SPECPI_COMPILER_SUCCESS;
}

/* compiled: by clang, with our -O; how other modules were made they say themselves. */
static bool lower_module(cc_work *work, const char *path, bool compiled, cc_image *image) {
  const unsigned level = (unsigned)(work->options->level[0] - '0');
  const specpi_compiler_options options = {
      .mode = cc_options_mode(work->options, image->target),
      .target = cc_target_name(image->target),
      .optimization = compiled
                          ? (specpi_compiler_optimization)(SPECPI_COMPILER_OPTIMIZATION_O0 + level)
                          : SPECPI_COMPILER_OPTIMIZATION_UNKNOWN,
  };
  if (specpiCompilerCreate(&image->compiler) != SPECPI_COMPILER_SUCCESS ||
      specpiCompilerModuleReadFile(image->compiler, path, &image->module) !=
          SPECPI_COMPILER_SUCCESS ||
      optimise_module(image, compiled, options.optimization) != SPECPI_COMPILER_SUCCESS ||
      specpiCompilerLower(image->module, &options, &image->output) != SPECPI_COMPILER_SUCCESS)
    return read_failed(image->file, path);
  for (size_t i = 0; i < specpiCompilerOutputGetWarningCount(image->output); i++)
    fprintf(stderr, "specpi-cc: warning: %s: %s\n", image->file,
            specpiCompilerOutputGetWarning(image->output, i));
  return true;
}

/* SPIR-V for spir64 is an image as it is. */
static bool take_spirv(cc_work *work, cc_image *image) {
  if (work->options->mode_given && work->options->mode != SPECPI_COMPILER_MODE_NATIVE)
    return CC_FAIL("%s: SPIR-V is taken as it is, --spec-const=%s cannot be had of it", image->file,
                   specpiCompilerModeGetName(work->options->mode));
  if (!file_read(image->file, &image->bytes) ||
      !spirv_validate(image->file, image->bytes.data, image->bytes.size) ||
      !spirv_read(image->file, image->bytes.data, image->bytes.size, &image->spirv))
    return false;
  image->as_it_is = true;
  return true;
}

/* SPIR-V for NVPTX goes through LLVM, which has no names for its constants. */
static bool lower_spirv(cc_work *work, cc_image *image) {
  file_bytes bytes = {0};
  spirv_module module = {0};
  bool done = file_read(image->file, &bytes) &&
              spirv_validate(image->file, bytes.data, bytes.size) &&
              spirv_read(image->file, bytes.data, bytes.size, &module);
  if (done && module.constant_count > 0 &&
      cc_options_mode(work->options, image->target) != SPECPI_COMPILER_MODE_DEFAULT)
    done = CC_FAIL("%s: SPIR-V with specialization constants, e.g. '%s', becomes code for nvptx64 "
                   "with --spec-const=default only",
                   image->file, module.constants[0].name);
  file_free(&bytes);
  spirv_free(&module);
  if (!done)
    return false;
  char *bitcode = cc_work_file(work, ".bc");
  done =
      translate_from_spirv(work, image->file, bitcode) && lower_module(work, bitcode, false, image);
  free(bitcode);
  return done;
}

bool cc_image_lower(cc_work *work, const char *file, cc_target target, cc_image *ret) {
  *ret = (cc_image){.file = file, .target = target};
  cc_input kind;
  if (!cc_input_kind(file, &kind))
    return false;
  switch (kind) {
  case CC_INPUT_SOURCE: {
    char *bitcode = cc_work_file(work, ".bc");
    const bool done =
        cc_input_compile(work, file, target, bitcode) && lower_module(work, bitcode, true, ret);
    free(bitcode);
    return done;
  }
  case CC_INPUT_CPP:
    return cc_input_compile_cpp(work, file, target, work->options->unit_id) &&
           lower_module(work, work->compiled.kernels, true, ret);
  case CC_INPUT_SPIRV:
    return target == CC_TARGET_SPIR64 ? take_spirv(work, ret) : lower_spirv(work, ret);
  case CC_INPUT_BITCODE:
    /* LLVM takes what is no bitcode, e.g. an empty file, for assembly. */
    if (!cc_input_is_bitcode(file))
      return false;
    break;
  case CC_INPUT_ASSEMBLY:
    break;
  }
  return lower_module(work, file, false, ret);
}

static bool generate_spirv(cc_work *work, cc_image *image) {
  const void *bitcode;
  size_t size;
  if (specpiCompilerOutputGetData(image->output, SPECPI_COMPILER_FORM_BC, &bitcode, &size) !=
      SPECPI_COMPILER_SUCCESS)
    return library_failed(image->file);
  return translate_to_spirv(work, image->file, bitcode, size, &image->bytes) &&
         spirv_validate(image->file, image->bytes.data, image->bytes.size) &&
         spirv_capabilities(image->file, image->bytes.data, image->bytes.size);
}

static bool generate_ptx(const cc_work *work, cc_image *image) {
  const cc_options *from = work->options;
  const char *libraries[2];
  size_t count = 0;
  char *numbers = cc_place_numbers(from->libclc);
  if (numbers)
    libraries[count++] = numbers;
  if (*from->libclc)
    libraries[count++] = from->libclc;
  const specpi_compiler_code_options options = {
      .gpu = from->gpu,
      .optimization = (unsigned)(from->level[0] - '0'),
      .libraries = libraries,
      .library_count = count,
      .libdevice = *from->libdevice ? from->libdevice : NULL,
      .no_offset = from->no_offset,
  };
  const bool done = specpiCompilerOutputGenerate(image->output, &options, &image->code,
                                                 &image->code_size) == SPECPI_COMPILER_SUCCESS;
  free(numbers);
  return done || library_failed(image->file);
}

const char *cc_image_kernel(const cc_image *image, size_t index) {
  if (image->as_it_is)
    return index < image->spirv.kernel_count ? image->spirv.kernels[index] : NULL;
  const specpi_compiler_kernel *kernel = specpiCompilerOutputGetKernel(image->output, index);
  return kernel ? kernel->name : NULL;
}

bool cc_image_is_empty(const cc_image *image) {
  specpi_compiler_properties properties;
  if (!cc_input_is_unit(image->file) || cc_image_kernel(image, 0) ||
      specpiCompilerOutputGetProperties(image->output, &properties) != SPECPI_COMPILER_SUCCESS)
    return false;
  bool empty = true;
  for (size_t i = 0; i < specpiCompilerPropertiesGetSetCount(properties); i++)
    if (strcmp(specpiCompilerPropertiesGetSet(properties, i, NULL, NULL),
               "specpi/exported functions") == 0)
      empty = false;
  specpiCompilerPropertiesRelease(properties);
  return empty;
}

bool cc_image_generate(cc_work *work, cc_image *image) {
  if (!cc_image_kernel(image, 0) && (!cc_input_is_unit(image->file) || cc_image_is_empty(image)))
    fprintf(stderr, "specpi-cc: warning: %s: there is no kernel in it\n", image->file);
  if (image->target == CC_TARGET_NVPTX64)
    return generate_ptx(work, image);
  if (!image->as_it_is && !generate_spirv(work, image))
    return false;
  image->code = image->bytes.data;
  image->code_size = image->bytes.size;
  return true;
}

bool cc_image_properties(const cc_image *image, specpi_compiler_properties *ret) {
  if (image->as_it_is)
    return spirv_sets(image->file, &image->spirv, ret);
  return specpiCompilerOutputGetProperties(image->output, ret) == SPECPI_COMPILER_SUCCESS ||
         library_failed(image->file);
}

void cc_image_free(cc_image *image) {
  specpiCompilerOutputRelease(image->output);
  specpiCompilerModuleRelease(image->module);
  specpiCompilerRelease(image->compiler);
  spirv_free(&image->spirv);
  file_free(&image->bytes);
}
