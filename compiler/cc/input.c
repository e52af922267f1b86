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

/* Options for each run of clang, whatever its input is. */
static const char *const common[] = {
    "-target",
    "spir64-unknown-unknown",
    "-emit-llvm",
#ifdef SPECPI_CC_TYPED_POINTERS
    /* The translator of this version knows the types of pointers only from their types. */
    "-Xclang",
    "-no-opaque-pointers",
#endif
};

static void add_words(cc_texts *command, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    cc_texts_add(command, words[i]);
}
#define ADD_WORDS(command, words) add_words(command, words, sizeof(words) / sizeof(words)[0])

/* Compiles the source; kind is -c for bitcode, or -S for assembly, which is not optimised yet. */
static bool run_front(cc_work *work, const char *file, cc_target target, const char *level,
                      const char *kind, const char *out) {
  const cc_options *options = work->options;
  const size_t i = find(file);
  char *standard =
      cc_format("-cl-std=%s", options->standard ? options->standard : inputs[i].standard);
  char *folder = include_folder();
  /* Names that begin with a dash would be taken for options. */
  char *source = cc_format("%s%s", *file == '-' ? "./" : "", file);
  /* A table in place of a switch would be a variable that SPIR-V has no place for. */
  const char *const words[] = {options->clang,
                               "-x",
                               inputs[i].language,
                               standard,
                               "-Xclang",
                               "-finclude-default-header",
                               "-Werror=excess-initializers",
                               "-fno-jump-tables",
                               macros[target],
                               level,
                               kind,
                               "-o",
                               out};
  static const char *const later[] = {"-Xclang", "-disable-llvm-passes"};
  cc_texts command = {0};
  ADD_WORDS(&command, words);
  ADD_WORDS(&command, common);
  if (strcmp(kind, "-S") == 0)
    ADD_WORDS(&command, later);
  add_words(&command, options->clang_options.items, options->clang_options.count);
  /* After the user's folders. */
  cc_texts_add(&command, "-I");
  cc_texts_add(&command, folder);
  cc_texts_add(&command, source);
  const bool done = child_run(&command, "--clang", file, out, options->verbose);
  cc_texts_free(&command);
  free(source);
  free(folder);
  free(standard);
  return done;
}

/* Optimises LLVM assembly to bitcode. */
static bool run_optimiser(cc_work *work, const char *file, cc_target target, const char *level,
                          const char *assembly, const char *bitcode) {
  const cc_options *options = work->options;
  /* LLVM computes what a loop ends with in integers of one bit more, which SPIR-V does not have. */
  const char *const words[] = {
      options->clang,       "-x", "ir", level,  "-mllvm", "-replexitval=never",
      "-Qunused-arguments", "-c", "-o", bitcode};
  /* Vectors of pointers end the translator, and it does not know all that adds vectors up. */
  static const char *const scalar[] = {"-fno-slp-vectorize", "-fno-vectorize"};
  cc_texts command = {0};
  ADD_WORDS(&command, words);
  ADD_WORDS(&command, common);
  if (target == CC_TARGET_SPIR64)
    ADD_WORDS(&command, scalar);
  add_words(&command, options->clang_options.items, options->clang_options.count);
  cc_texts_add(&command, assembly);
  const bool done = child_run(&command, "--clang", file, bitcode, options->verbose);
  cc_texts_free(&command);
  return done;
}

/*
 * Adds to the data layout which integers there are. Clang's for SPIR does not say it, and LLVM then
 * makes integers of any width, which SPIR-V does not have.
 */
static bool add_integers(const char *file, const char *assembly) {
  static const char layout[] = "\ntarget datalayout = \"";
  file_bytes text;
  if (!file_read(assembly, &text))
    return false;
  const char *at = strstr(text.data, layout);
  const char *end = at ? strchr(at + sizeof layout - 1, '"') : NULL;
  bool done = true;
  if (!end)
    done = CC_FAIL("%s: clang wrote assembly without a data layout", file);
  else if (strncmp(end - 12, "-n8:16:32:64", 12) != 0) {
    const size_t before = (size_t)(end - text.data);
    char *made = cc_format("%.*s-n8:16:32:64%s", (int)before, text.data, end);
    done = file_write(assembly, assembly, made, strlen(made), false);
    free(made);
  }
  file_free(&text);
  return done;
}

bool cc_input_compile(cc_work *work, const char *file, cc_target target, const char *bitcode) {
  if (access(file, R_OK) != 0)
    return CC_FAIL("%s: %s", file, strerror(errno));
  char *level = cc_format("-O%s", work->options->level);
  bool done;
  if (strcmp(level, "-O0") == 0) {
    done = run_front(work, file, target, level, "-c", bitcode);
  } else {
    char *assembly = cc_work_file(work, ".ll");
    done = run_front(work, file, target, level, "-S", assembly) && add_integers(file, assembly) &&
           run_optimiser(work, file, target, level, assembly, bitcode);
    free(assembly);
  }
  free(level);
  return done;
}
