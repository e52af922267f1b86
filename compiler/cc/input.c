#define _GNU_SOURCE /* readlink */
#include "input.h"

#include "child.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *suffix;
  cc_input kind;
  const char *language;
  const char *standard;
} inputs[] = {
#define CC_INPUT(suffix, KIND, language, standard) {suffix, CC_INPUT_##KIND, language, standard},
    CC_INPUTS(CC_INPUT)
#undef CC_INPUT
};
enum { INPUT_COUNT = sizeof inputs / sizeof inputs[0] };

static const char suffixes[] =
#define CC_INPUT(suffix, KIND, language, standard) " " suffix
    CC_INPUTS(CC_INPUT)
#undef CC_INPUT
    ;

static const char *const macros[] = {
#define CC_TARGET(NAME, name, mode) "-DSPECPI_TARGET_" #NAME "=1",
    CC_TARGETS(CC_TARGET)
#undef CC_TARGET
};

/* The index in the list above; INPUT_COUNT when there is none. */
static size_t find(const char *file) {
  const char *slash = strrchr(file, '/');
  const char *dot = strrchr(slash ? slash : file, '.');
  size_t i = 0;
  while (i < INPUT_COUNT && (!dot || strcmp(inputs[i].suffix, dot) != 0))
    i++;
  return i;
}

bool cc_input_kind(const char *file, cc_input *ret) {
  const size_t i = find(file);
  if (i == INPUT_COUNT)
    return CC_FAIL("%s: what it holds cannot be told; names of inputs end with%s", file, suffixes);
  *ret = inputs[i].kind;
  return true;
}

bool cc_input_is_bitcode(const char *file) {
  static const unsigned char magic[] = {'B', 'C', 0xC0, 0xDE};
  static const unsigned char wrapped[] = {0xDE, 0xC0, 0x17, 0x0B};
  file_bytes bytes;
  if (!file_read(file, &bytes))
    return false;
  const bool is = bytes.size >= sizeof magic && (memcmp(bytes.data, magic, sizeof magic) == 0 ||
                                                 memcmp(bytes.data, wrapped, sizeof wrapped) == 0);
  file_free(&bytes);
  return is || CC_FAIL("%s: it is no LLVM bitcode", file);
}

/*
 * The folder of our headers: beside the folder that this program lies in, where it is
 * installed, or else in the sources that it was built from. The caller frees it.
 */
static char *include_folder(void) {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
  if (size > 0) {
    path[size] = '\0';
    for (int i = 0; i < 2 && strrchr(path, '/'); i++)
      *strrchr(path, '/') = '\0';
    char *folder = cc_format("%s/" SPECPI_CC_INCLUDE, path);
    char *header = cc_format("%s/specpi/device.h", folder);
    const bool there = access(header, R_OK) == 0;
    free(header);
    if (there)
      return folder;
    free(folder);
  }
  return cc_format("%s", SPECPI_CC_SOURCE_INCLUDE);
}

bool cc_input_compile(cc_work *work, const char *file, cc_target target, const char *bitcode) {
  const cc_options *options = work->options;
  if (access(file, R_OK) != 0)
    return CC_FAIL("%s: %s", file, strerror(errno));
  const size_t i = find(file);
  const char *standard = options->standard ? options->standard : inputs[i].standard;
  char *standard_option = cc_format("-cl-std=%s", standard);
  char *level_option = cc_format("-O%s", options->level);
  char *folder = include_folder();
  /* Names that begin with a dash would be taken for options. */
  char *source = cc_format("%s%s", *file == '-' ? "./" : "", file);
  const char *const fixed[] = {
      options->clang, "-x", inputs[i].language, standard_option, "-target",
      "spir64-unknown-unknown", "-Xclang", "-finclude-default-header",
#ifdef SPECPI_CC_TYPED_POINTERS
      /* The translator of this version knows the types of pointers only from their types. */
      "-Xclang", "-no-opaque-pointers",
#endif
      /* LLVM computes what a loop ends with in integers of one bit more, which SPIR-V does not
         have. */
      "-mllvm", "-replexitval=never", level_option, "-Werror=excess-initializers", macros[target],
      "-emit-llvm", "-c", "-o", bitcode};
  cc_texts command = {0};
  for (size_t n = 0; n < sizeof fixed / sizeof fixed[0]; n++)
    cc_texts_add(&command, fixed[n]);
  /* Their vectors of pointers end the translator. Before the user's options, which count more. */
  if (target == CC_TARGET_SPIR64) {
    cc_texts_add(&command, "-fno-slp-vectorize");
    cc_texts_add(&command, "-fno-vectorize");
  }
  for (size_t n = 0; n < options->clang_options.count; n++)
    cc_texts_add(&command, options->clang_options.items[n]);
  /* After the user's folders. */
  cc_texts_add(&command, "-I");
  cc_texts_add(&command, folder);
  cc_texts_add(&command, source);
  const bool done = child_run(&command, "--clang", file, bitcode, options->verbose);
  cc_texts_free(&command);
  free(source);
  free(folder);
  free(level_option);
  free(standard_option);
  return done;
}
