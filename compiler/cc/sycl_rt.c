#define _GNU_SOURCE /* secure_getenv, realpath */
#include "sycl_rt.h"

#include "../sycl_jit/library.h"
#include "child.h"
#include "emit.h"
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Where it is ---- */

static bool has_file(const char *directory, const char *name) {
  char *path = cc_format("%s/%s", directory, name);
  const bool there = access(path, R_OK) == 0;
  free(path);
  return there;
}

/* The compiler that is known in a directory, where the rest of a runtime is, too; NULL: it is not.
 */
static char *find_compiler(const char *directory) {
  static const char *const names[] = {
#define NAME(name) name,
      JIT_LIBRARIES(NAME)
#undef NAME
  };
  if (!has_file(directory, "libsycl.so") || !has_file(directory, "../include/sycl/sycl.hpp"))
    return NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (has_file(directory, names[i]))
      return cc_format("%s/%s", directory, names[i]);
  return NULL;
}

/* Takes a directory, or its lib, if the runtime lies there. */
static bool take_directory(const char *directory, cc_sycl_rt *ret) {
  static const char *const names[] = {".", "lib"};
  for (size_t i = 0; i < sizeof names / sizeof *names && !ret->directory; i++) {
    char *path = cc_format("%s/%s", directory, names[i]);
    char *real = realpath(path, NULL);
    free(path);
    ret->compiler = real ? find_compiler(real) : NULL;
    if (ret->compiler)
      ret->directory = real;
    else
      free(real);
  }
  return ret->directory != NULL;
}

static void look_around(cc_sycl_rt *ret) {
  static const char *const variables[] = {"VIRTUAL_ENV", "CONDA_PREFIX"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables && !ret->directory; i++) {
    const char *prefix = secure_getenv(variables[i]);
    if (prefix && *prefix == '/')
      take_directory(prefix, ret);
  }
}

static bool find_parts(cc_sycl_rt *rt) {
  if (strchr(rt->directory, ':'))
    return CC_FAIL("%s: programs cannot say where this runtime is, because the loader takes the "
                   "colon in the name of a directory for the end of it",
                   rt->directory);
  rt->include = cc_format("%s/../include", rt->directory);
  rt->program = cc_place_sycl_jit();
  return rt->program ||
         CC_FAIL("%s: this runtime's compiler is started by libexec/specpi/specpi-sycl-jit, which "
                 "is not beside specpi-cc; --sycl=own does without",
                 rt->directory);
}

bool cc_sycl_rt_find(const cc_options *options, cc_sycl_rt *ret) {
  *ret = (cc_sycl_rt){0};
  if (options->sycl_own && options->sycl_rt)
    return CC_FAIL("--sycl=own and --sycl-rt=%s: one at a time", options->sycl_rt);
  if (options->sycl_rt && !take_directory(options->sycl_rt, ret))
    return CC_FAIL("--sycl-rt=%s: there is no SYCL runtime with a compiler that is known here: "
                   "libsycl.so, libsycl-jit.so.23.1 or .22.1, and ../include/sycl/sycl.hpp; "
                   "pip install intel-sycl-rt==2026.2.0 has them",
                   options->sycl_rt);
  if (!options->sycl_own)
    look_around(ret);
  if (options->verbose)
    fprintf(stderr, "specpi-cc: SYCL is that of %s\n",
            ret->directory ? ret->directory : "specpi's include/sycl");
  return !ret->directory || find_parts(ret);
}

void cc_sycl_rt_free(cc_sycl_rt *rt) {
  free(rt->directory);
  free(rt->compiler);
  free(rt->include);
  free(rt->program);
  *rt = (cc_sycl_rt){0};
}

/* ---- Compiling ---- */

bool cc_sycl_rt_compile(const cc_work *work, const cc_sycl_rt *rt, const cc_sycl_unit *unit) {
  const cc_options *options = work->options;
  /* Reads of constants are seen through at any level but 0. */
  char *level = cc_format("-O%c", options->level[0] == '0' ? '1' : options->level[0]);
  char *header_option = cc_format("-fsycl-int-header=%s", unit->header);
  char *footer_option = cc_format("-fsycl-int-footer=%s", unit->footer);
  char *prefix = cc_format("-fsycl-unique-prefix=%s", unit->id);
  char *table = cc_format("%s.table", unit->out);
  char *source = cc_path_word(unit->file);
  /* The library reads some functions as text, e.g. for reversed bits, which takes values' names. */
  const char *const before[] = {rt->program,    rt->compiler, source, unit->out,
                                unit->captures, "-std=c++17", "-w",   "-fno-discard-value-names",
                                level};
  const char *const after[] = {
      CC_SYCL_RT_NAMES, "-Xclang", header_option, "-Xclang",
      footer_option,    "-Xclang", prefix,        "-fsycl-allow-device-image-dependencies"};
  cc_texts command = {0};
  CC_TEXTS_ADD_ARRAY(&command, before);
  CC_TEXTS_ADD_ARRAY(&command, after);
  cc_texts_add_all(&command, &options->macros);
  cc_texts_add_all(&command, &options->words.device);
  cc_texts_add_all(&command, &options->words.sycl);
  cc_texts_add_all(&command, &options->device_options);
  if (unit->openmp) {
    cc_texts_add(&command, "-idirafter");
    cc_texts_add(&command, unit->openmp);
  }
  /* At the end, because the library takes an -O after it for a file. */
  cc_texts_add(&command, "-xc++");
  const bool done = child_run(&command, "--sycl-rt", unit->file, table, options->verbose);
  cc_texts_free(&command);
  free(source);
  free(table);
  free(prefix);
  free(footer_option);
  free(header_option);
  free(level);
  return done;
}

/* ---- Images ---- */

/* An image, and the bytes after it. */
typedef struct image_files {
  file_bytes code;
  file_bytes properties;
  file_bytes names;
  specpi_compiler_image image;
} image_files;

/* The lines of the file of names, each ended by NUL now. */
static void list_kernels(image_files *files) {
  size_t count = 0;
  for (size_t i = 0; i < files->names.size; i++)
    count += files->names.data[i] == '\n';
  const char **kernels = cc_new(count, sizeof *kernels);
  char *at = files->names.data;
  for (size_t i = 0; i < count; i++) {
    kernels[i] = at;
    at = strchr(at, '\n');
    *at++ = '\0';
  }
  files->image.kernels = kernels;
  files->image.kernel_count = count;
}

static bool read_image(const char *file, const char *out, size_t index, image_files *ret) {
  char *code = cc_format("%s_%zu.spv", out, index);
  char *properties = cc_format("%s_%zu.prop", out, index);
  char *names = cc_format("%s_%zu.sym", out, index);
  *ret = (image_files){0};
  bool done = file_read(code, &ret->code) && file_read(properties, &ret->properties) &&
              file_read(names, &ret->names);
  free(code);
  free(properties);
  free(names);
  if (!done)
    return false;
  list_kernels(ret);
  ret->image.target = cc_target_name(CC_TARGET_SPIR64);
  ret->image.format = SPECPI_COMPILER_IMAGE_FORMAT_SPIRV;
  ret->image.data = ret->code.data;
  ret->image.size = ret->code.size;
  return specpiCompilerPropertiesRead(SPECPI_COMPILER_PROPERTY_FORM_TEXT, ret->properties.data,
                                      ret->properties.size,
                                      &ret->image.properties) == SPECPI_COMPILER_SUCCESS ||
         CC_FAIL("%s: %s", file, specpiCompilerGetLastError());
}

static void free_image(image_files *files) {
  specpiCompilerPropertiesRelease(files->image.properties);
  free((void *)files->image.kernels);
  file_free(&files->code);
  file_free(&files->properties);
  file_free(&files->names);
}

/* The lines of the table, of which the first is its head. */
static bool count_images(const char *out, size_t *ret) {
  char *path = cc_format("%s.table", out);
  file_bytes table;
  const bool done = file_read(path, &table);
  free(path);
  if (!done)
    return false;
  size_t lines = 0;
  for (size_t i = 0; i < table.size; i++)
    lines += table.data[i] == '\n';
  file_free(&table);
  *ret = lines ? lines - 1 : 0;
  return true;
}

bool cc_sycl_rt_wrap(const cc_work *work, const char *file, const char *out, const char *object) {
  size_t count;
  if (!count_images(out, &count))
    return false;
  image_files *files = cc_new(count, sizeof *files);
  specpi_compiler_image *images = cc_new(count, sizeof *images);
  size_t read = 0;
  bool done = true;
  while (done && read < count) {
    done = read_image(file, out, read, &files[read]);
    images[read] = files[read].image;
    read++;
  }
  void *bytes = NULL;
  size_t size;
  done = done && cc_emit_wrap(work->options, images, count, &bytes, &size) &&
         file_write(object, object, bytes, size, false);
  free(bytes);
  for (size_t i = 0; i < read; i++)
    free_image(&files[i]);
  free(images);
  free(files);
  return done;
}
