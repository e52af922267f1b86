#include "input.h"

#include "assembly.h"
#include "child.h"
#include "depend.h"
#include "host_compiler.h"
#include "place.h"

#include <errno.h>
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

#define CUDA_REFUSED "CUDA C is not taken: specpi reads OpenCL C"

/* The files of -x c++. */
static cc_texts named_cxx;

void cc_input_name_cxx(const char *file) {
  cc_texts_add(&named_cxx, file);
}

/* The index in the list above; INPUT_COUNT when there is none. */
static size_t find_kind(const char *file) {
  const char *slash = strrchr(file, '/');
  const char *dot = strrchr(slash ? slash : file, '.');
  for (size_t i = 0; i < named_cxx.count; i++)
    if (strcmp(named_cxx.items[i], file) == 0)
      dot = ".cpp";
  size_t i = 0;
  while (i < INPUT_COUNT && (!dot || strcmp(inputs[i].suffix, dot) != 0))
    i++;
  return i;
}

bool cc_input_kind(const char *file, cc_input *ret) {
  const size_t i = find_kind(file);
  const char *suffix = strrchr(file, '.');
  if (i == INPUT_COUNT && suffix && (strcmp(suffix, ".cu") == 0 || strcmp(suffix, ".cuh") == 0))
    return CC_FAIL("%s: " CUDA_REFUSED, file);
  if (i == INPUT_COUNT)
    return CC_FAIL("%s: no command of specpi-cc, and no input, whose names end with%s", file,
                   suffixes);
  *ret = inputs[i].kind;
  return true;
}

bool cc_input_is_unit(const char *file) {
  const size_t i = find_kind(file);
  return i != INPUT_COUNT && inputs[i].kind == CC_INPUT_CPP;
}

bool cc_input_is_c(const char *file) {
  return cc_input_is_unit(file) && strcmp(inputs[find_kind(file)].language, "c") == 0;
}

bool cc_input_may_compile(const char *file) {
  const char *slash = strrchr(file, '/');
  if (access(file, R_OK) != 0)
    return CC_FAIL("%s: %s", file, strerror(errno));
  /* They hand the name on without its directory. */
  if ((slash ? slash + 1 : file)[0] == '@')
    return CC_FAIL("%s: compilers take a name that begins with '@' for a file of their options; "
                   "no source can have one",
                   file);
  const size_t size = strcspn(file, "\r\n");
  return file[size] == '\0' ||
         CC_FAIL("%.*s: a line break follows in the name, with which there is no "
                 "debug information and no file of dependences",
                 (int)size, file);
}

/*
 * Asks a clang that the user names for its version. Our LLVM reads what a clang of its own version
 * and of the one before write; what later ones write has attributes that it does not know. Of C++
 * the one before takes constants that it has to refuse.
 */
static bool know_clang(cc_work *work, const char *file) {
  const char *clang = work->options->clang;
  const int own = (int)strtol(SPECPI_CC_LLVM_VERSION, NULL, 10);
  const int first = cc_input_is_unit(file) ? own : own - 1;
  if (strcmp(clang, SPECPI_CC_CLANG) == 0)
    return true;
  cc_texts compiler = {0};
  cc_texts_add(&compiler, clang);
  /* A program that does not answer says why when it is to compile. */
  if (work->clang == 0)
    cc_clang_version(work, &compiler, NULL, file, &work->clang, NULL);
  cc_texts_free(&compiler);
  return work->clang == 0 || (work->clang >= first && work->clang <= own) ||
         CC_FAIL("%s: '%s' is clang %d, and LLVM %d, with which specpi-cc was built, takes kernels "
                 "of clang %d and %d, and C++ of %d; --clang=PROGRAM or SPECPI_CLANG names one "
                 "(Debian 12: apt install clang-%d)",
                 file, clang, work->clang, own, own - 1, own, own, own);
}

bool cc_input_prepare(cc_work *work, const char *file) {
  return cc_input_may_compile(file) && know_clang(work, file);
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

void cc_input_add_common(const cc_work *work, cc_texts *command) {
  static const char *const common[] = {"-target", "spir64-unknown-unknown", "-emit-llvm"};
  CC_TEXTS_ADD_ARRAY(command, common);
#ifdef SPECPI_CC_TYPED_POINTERS
  /* The translator of this version knows the types of pointers only from their types, and clang 14
   * has no others. */
  static const char *const typed[] = {"-Xclang", "-no-opaque-pointers"};
  if (work->clang == 0 || work->clang >= 15)
    CC_TEXTS_ADD_ARRAY(command, typed);
#else
  (void)work;
#endif
}

const char *cc_input_macro(cc_target target) {
  static const char *const macros[] = {
#define CC_TARGET(NAME, name, mode) "-DSPECPI_TARGET_" #NAME "=1",
      CC_TARGETS(CC_TARGET)
#undef CC_TARGET
  };
  return macros[target];
}

/*
 * Returns an option that defines the macro for the device's version, which OpenCL C requires also
 * of compilations for no particular device (section "Preprocessor Directives and Macros"), and
 * which clang leaves to its callers. The caller frees it.
 */
static char *version_macro(const char *standard) {
  const bool is_c = (standard[0] | 0x20) == 'c' && (standard[1] | 0x20) == 'l' &&
                    standard[2] >= '1' && standard[2] <= '3' && standard[3] == '.';
  return cc_format("-D__OPENCL_VERSION__=%.1s%.1s0", is_c ? standard + 2 : "3",
                   is_c ? standard + 4 : "0");
}

/*
 * Compiles the source, and optimises nothing; kind is -c for bitcode, -S for assembly, or -E for
 * the preprocessor alone. said: the file for clang's words if nobody is to hear them, or of a
 * failure; else NULL.
 */
static bool run_front(cc_work *work, const char *file, cc_target target, const char *level,
                      const char *kind, const char *out, const char *said) {
  const cc_options *options = work->options;
  const size_t i = find_kind(file);
  const char *named = options->standard ? options->standard : inputs[i].standard;
  char *standard = cc_format("-cl-std=%s", named);
  char *version = version_macro(named);
  char *source = cc_path_word(file);
  char *read = said ? NULL : cc_work_dependences(work, target);
  /* A table in place of a switch would be a variable that SPIR-V has no place for. */
  const char *const words[] = {options->clang,
                               "-x",
                               inputs[i].language,
                               standard,
                               "-Xclang",
                               "-finclude-default-header",
                               "-Werror=excess-initializers",
                               "-fno-jump-tables",
                               cc_input_macro(target),
                               version,
                               level,
                               kind,
                               "-o",
                               out};
  static const char *const later[] = {"-Xclang", "-disable-llvm-passes"};
  cc_texts command = {0};
  CC_TEXTS_ADD_ARRAY(&command, words);
  cc_input_add_common(work, &command);
  if (strcmp(level, "-O0") != 0)
    CC_TEXTS_ADD_ARRAY(&command, later);
  cc_depend_ask(&command, &options->words, read);
  cc_texts_add_all(&command, &options->clang_options);
  /* After the user's directories. */
  cc_place_add_headers(&command);
  cc_texts_add(&command, source);
  const bool done = said ? child_try(&command, said)
                         : child_run(&command, "--clang", file, out, options->verbose);
  cc_texts_free(&command);
  free(read);
  free(source);
  free(version);
  free(standard);
  return done;
}

bool cc_input_preprocess(cc_work *work, const char *file, cc_target target, const char *out) {
  cc_input kind;
  if (!cc_input_kind(file, &kind))
    return false;
  if (kind == CC_INPUT_CPP)
    return cc_input_preprocess_cpp(work, file, target, out);
  if (kind != CC_INPUT_SOURCE)
    return CC_FAIL("%s: it is no source, there is nothing for a preprocessor in it", file);
  return cc_input_prepare(work, file) && run_front(work, file, target, "-O0", "-E", out, NULL);
}

/*
 * Returns the message that clang's own words do not lead to, which the caller frees; NULL if none
 * fits. text is the source after the preprocessor.
 */
static char *find_hint(const char *text, const char *words) {
  static const char *const names[] = {"specpi_get", "SPECPI_CONSTANT"};
  static const char unknown[] = "undeclared identifier 'block_size_";
  if (strstr(text, "__global__") || strstr(text, "threadIdx"))
    return cc_format(CUDA_REFUSED);
  if (!strstr(text, "specpi/device.h\""))
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
      if (strstr(text, names[i]))
        return cc_format("'#include <specpi/device.h>' declares %s", names[i]);
  if (strstr(text, "specpi_constant_") && strstr(words, "variable length array"))
    return cc_format("a constant cannot be an array's size: give the array its largest, or make "
                     "the size a macro, -DNAME=VALUE, with a compile for each value");
  const char *found = strstr(words, unknown);
  if (!found)
    return NULL;
  const char axis = found[sizeof unknown - 1];
  if (axis < 'x' || axis > 'z')
    return NULL;
  return cc_format("block_size_%c is no macro here: SPECPI_CONSTANT(int, block_size_%c, 32), "
                   "-Dblock_size_%c=32, or get_local_size(%d)",
                   axis, axis, axis, axis - 'x');
}

/* Says what to do about a source that does not compile, where the cause is a common one. */
static void hint_at_cause(cc_work *work, const char *file, cc_target target) {
  char *text = cc_work_file(work, ".i");
  char *said = cc_work_file(work, ".txt");
  file_bytes source = {0}, words = {0};
  /* The second run fails as the first one did, and is there for what it says. */
  if (run_front(work, file, target, "-O0", "-E", text, said) && file_read(text, &source) &&
      !run_front(work, file, target, "-O0", "-S", text, said) && file_read(said, &words)) {
    char *hint = find_hint(source.data, words.data);
    if (hint)
      cc_error("%s: %s", file, hint);
    free(hint);
  }
  file_free(&words);
  file_free(&source);
  free(said);
  free(text);
}

bool cc_input_compile(cc_work *work, const char *file, cc_target target, const char *bitcode) {
  if (!cc_input_prepare(work, file))
    return false;
  char *level = cc_format("-O%s", work->options->level);
  const bool done = run_front(work, file, target, level, "-c", bitcode, NULL);
  if (!done)
    hint_at_cause(work, file, target);
  free(level);
  return done;
}
