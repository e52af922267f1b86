#define _GNU_SOURCE /* secure_getenv */
#include "options.h"

#include "../../plugins/base/digits.h"
#include "../../plugins/base/nearest.h"
#include "../../plugins/base/program.h"
#include "../../plugins/code/libdevice_place.h"
#include "../identifier.h"
#include "input.h"
#include "place.h"
#include "sycl_rt.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In pieces: C11 promises only so many letters of one. */
static const char *const usage[] = {
    "Usage: specpi-cc [OPTION...] FILE...\n"
    "       specpi-cc [OPTION...] FILE... -- OPTION...\n"
    "Compiles kernels to device images, with specialization constants that have names.\n"
    "C++ (.cpp, .cc, .cxx, .c), objects and libraries become a program, or with -c one unit an "
    "object:\n"
    "C++ is compiled for host and devices. Kernels (.cl, .clcpp, .ll, .bc, .spv) become an object\n"
    "with an image for each target. Options of compilers and linkers that are not in the list, "
    "such\n"
    "as -g, -Wall, -std=c++20 and -lm, are passed on to them; after -- all are.\n"
    "\n",
#define CC_EMIT(NAME, name, suffix, MAKES, text)                                                   \
  "                             " #name ": " text "\n"
#define CC_SHORT(name, letter, argument, taken, help) help,
#define CC_LONG(NAME, name, argument, taken, help) help,
#define CC_SAME(word, taken, help) help,
#include "options.def"
#undef CC_EMIT
    "\n"
    "Exit status: 0 when the output was written; 1 when it was not, with a reason on stderr, "
    "and\n"
    "then the output is as it was; 2 when the command line is wrong.\n"};

enum {
  OPTION_BEFORE = 255, /* after all letters */
#define CC_SHORT(name, letter, argument, taken, help)
#define CC_LONG(NAME, name, argument, taken, help) OPTION_##NAME,
#define CC_SAME(word, taken, help)
#include "options.def"
};

/* The first "-" keeps the order of options and FILEs, so that words after -- are known as such. */
static const char letters[] = "-"
#define CC_SHORT(name, letter, argument, taken, help) #name argument
#define CC_LONG(NAME, name, argument, taken, help)
#define CC_SAME(word, taken, help)
#include "options.def"
    ;

static const struct option long_options[] = {
#define CC_SHORT(name, letter, argument, taken, help)
#define CC_LONG(NAME, name, argument, taken, help) {name, argument, NULL, OPTION_##NAME},
#define CC_SAME(word, taken, help)
#include "options.def"
    {0}};

typedef enum makes { MAKES_ONE, MAKES_IMAGES, MAKES_UNIT, MAKES_FILES } makes;

static const struct {
  const char *name;
  const char *suffix;
  makes makes;
} emits[] = {
#define CC_EMIT(NAME, name, suffix, MAKES, text) {#name, suffix, MAKES_##MAKES},
    CC_EMITS(CC_EMIT)
#undef CC_EMIT
};

static const char emit_names[] =
#define CC_EMIT(NAME, name, suffix, MAKES, text) " " #name
    CC_EMITS(CC_EMIT)
#undef CC_EMIT
    ;

static const struct {
  const char *name;
  specpi_compiler_mode mode;
} targets[] = {
#define CC_TARGET(NAME, name, mode) {#name, mode},
    CC_TARGETS(CC_TARGET)
#undef CC_TARGET
};

static const char *const host_sides[] = {
#define CC_HOST_SIDE(NAME, name) #name,
    CC_HOST_SIDES(CC_HOST_SIDE)
#undef CC_HOST_SIDE
};

const char *cc_host_side_name(cc_host_side side) {
  return host_sides[side];
}

const char *cc_emit_name(cc_emit emit) {
  return emits[emit].name;
}

bool cc_emit_has_host(cc_emit emit) {
  return emits[emit].makes == MAKES_UNIT || emits[emit].makes == MAKES_FILES;
}

const char *cc_target_name(cc_target target) {
  return targets[target].name;
}

specpi_compiler_mode cc_options_mode(const cc_options *options, cc_target target) {
  return options->mode_given ? options->mode : targets[target].mode;
}

/* ---- Values of options ---- */

static bool parse_emit(const char *name, cc_options *ret) {
  for (int i = 0; i < CC_EMIT_COUNT; i++)
    if (strcmp(emits[i].name, name) == 0) {
      ret->emit = (cc_emit)i;
      ret->emit_given = true;
      return true;
    }
  return CC_FAIL("--emit=%s: there are%s", name, emit_names);
}

static bool parse_mode(const char *name, cc_options *ret) {
  for (int i = 0; i < SPECPI_COMPILER_MODE_COUNT; i++)
    if (strcmp(specpiCompilerModeGetName((specpi_compiler_mode)i), name) == 0) {
      ret->mode = (specpi_compiler_mode)i;
      ret->mode_given = true;
      return true;
    }
  return CC_FAIL("--spec-const=%s: there are native, emulate, patch and default", name);
}

/* The target of a name of size bytes; CC_TARGET_COUNT when there is none. */
static int find_target(const char *name, size_t size) {
  int i = 0;
  while (i < CC_TARGET_COUNT &&
         (strlen(targets[i].name) != size || memcmp(targets[i].name, name, size) != 0))
    i++;
  return i;
}

static bool parse_targets(const char *list, cc_options *ret) {
  ret->target_count = 0;
  for (const char *at = list;; at++) {
    const size_t size = strcspn(at, ",");
    const int found = find_target(at, size);
    if (found == CC_TARGET_COUNT)
      return CC_FAIL("--target=%s: '%.*s' is no target; there are spir64 and nvptx64", list,
                     (int)size, at);
    for (size_t i = 0; i < ret->target_count; i++)
      if ((int)ret->targets[i] == found)
        return CC_FAIL("--target=%s: %s stands there twice", list, targets[found].name);
    ret->targets[ret->target_count++] = (cc_target)found;
    at += size;
    if (*at == '\0')
      return true;
  }
}

/* level: NULL for -O alone. */
static bool parse_level(const char *level, cc_options *ret) {
  const bool known = !level || (strlen(level) == 1 && level[0] >= '0' && level[0] <= '3');
  ret->host_level = known ? NULL : level;
  if (known)
    ret->level[0] = *(level ? level : "1");
  return true;
}

static bool parse_symbol(const char *name, cc_options *ret) {
  if (!identifier_is_plain(name) || (*name >= '0' && *name <= '9'))
    return CC_FAIL("--symbol=%s: a name of C is needed", name);
  ret->symbol = name;
  return true;
}

static bool parse_version(const char *version, cc_options *ret) {
  if (strlen(version) != 3 || strncmp(version, "1.", 2) != 0 || version[2] < '0' ||
      version[2] > '4')
    return CC_FAIL("--spirv-version=%s: there are 1.0 to 1.4", version);
  ret->spirv_version = version;
  return true;
}

static bool parse_sycl(const char *name, cc_options *ret) {
  ret->sycl_own = true;
  return strcmp(name, "own") == 0 || CC_FAIL("--sycl=%s: there is own", name);
}

static bool parse_host_side(const char *name, cc_options *ret) {
  ret->host_side_given = true;
  for (int i = 0; i < CC_HOST_SIDE_COUNT; i++)
    if (strcmp(host_sides[i], name) == 0) {
      ret->host_side = (cc_host_side)i;
      return true;
    }
  return CC_FAIL("--host-side=%s: there are header and pass", name);
}

/* SYCL is C++, which is why DPC++ refuses -x c, too. */
static bool parse_language(const char *name, cc_options *ret) {
  ret->cxx = strcmp(name, "c++") == 0;
  return ret->cxx || strcmp(name, "none") == 0 ||
         CC_FAIL("-x %s: there are c++ and none; SYCL is C++, and the language of kernels follows "
                 "from a FILE's ending",
                 name);
}

static bool take_file(const char *file, cc_options *ret) {
  cc_texts_add(&ret->files, file);
  if (!ret->cxx)
    return true;
  cc_input_name_cxx(file);
  return !cc_words_is_object(file) ||
         CC_FAIL("-x c++: '%s' is for the linker; -x none before it ends -x c++", file);
}

static bool parse_jobs(const char *number, cc_options *ret) {
  return (*number != '0' && digits_are(number, SIZE_MAX, &ret->jobs)) ||
         CC_FAIL("-j %s: a number of steps is needed, at least 1", number);
}

static bool parse_program(const char *name, const char **ret) {
  *ret = name;
  return *name != '\0' || CC_FAIL("an empty name of a program");
}

static bool parse_host(cc_host host, const char *file, cc_options *ret) {
  if (ret->host != CC_HOST_NONE)
    return CC_FAIL("--host-header, --host-footer, --host-file, --host-parts and --host-pass: one "
                   "at a time");
  ret->host = host;
  ret->host_file = file;
  return true;
}

/* ---- The options together ---- */

/* Chooses the output where no option names one, as other compilers do. */
static bool choose_emit(cc_options *options) {
  const cc_texts *files = &options->files;
  size_t units = 0;
  size_t objects = 0;
  for (size_t i = 0; i < files->count; i++) {
    units += cc_input_is_unit(files->items[i]);
    objects += cc_words_is_object(files->items[i]);
  }
  if (options->emit_given + options->compiles + options->preprocesses > 1)
    return CC_FAIL("--emit=KIND, -c and -E: one at a time");
  if (options->preprocesses)
    options->emit = CC_EMIT_PREPROCESSED;
  else if (options->compiles)
    options->emit = units > 0 ? CC_EMIT_UNIT : CC_EMIT_OBJ;
  else if (!options->emit_given &&
           ((units > 0 && !options->unit_id) || (files->count > 0 && objects == files->count)))
    options->emit = CC_EMIT_PROGRAM;
  else if (!options->emit_given && options->shared)
    options->emit = CC_EMIT_SO;
  if (options->shared && options->emit == CC_EMIT_PROGRAM)
    cc_texts_add(&options->front, "-shared");
  return true;
}

static bool has_target(const cc_options *options, cc_target target) {
  for (size_t i = 0; i < options->target_count; i++)
    if (options->targets[i] == target)
      return true;
  return false;
}

/* Leaves out other targets when an option is for one target only. */
static bool choose_targets(cc_options *options) {
  const bool given = options->target_count > 0;
  const bool one = options->emit == CC_EMIT_SPIRV || options->emit == CC_EMIT_PTX;
  const cc_target wanted = options->emit == CC_EMIT_PTX ? CC_TARGET_NVPTX64 : CC_TARGET_SPIR64;
  if (given && one && !has_target(options, wanted))
    return CC_FAIL("--emit=%s is for the target %s", emits[options->emit].name,
                   targets[wanted].name);
  if (!given || one) {
    options->targets[0] = wanted;
    options->target_count = 1;
  }
  if (options->no_offset && !has_target(options, CC_TARGET_NVPTX64))
    return CC_FAIL("--no-offset is for the target nvptx64");
  if (!options->sycl_native)
    return true;
  if (!has_target(options, CC_TARGET_NVPTX64))
    return CC_FAIL("--sycl-native is for the target nvptx64");
  /* libsycl takes the last of the images that it finds equally good: PTX stands first. */
  if (options->target_count == 2) {
    options->targets[0] = CC_TARGET_NVPTX64;
    options->targets[1] = CC_TARGET_SPIR64;
  }
  return true;
}

static bool check_modes(const cc_options *options) {
  if (!options->mode_given)
    return true;
  if (options->mode == SPECPI_COMPILER_MODE_PATCH && has_target(options, CC_TARGET_SPIR64))
    return CC_FAIL("--spec-const=patch is for the target nvptx64 only");
  if (options->mode == SPECPI_COMPILER_MODE_NATIVE && has_target(options, CC_TARGET_NVPTX64))
    return CC_FAIL("--spec-const=native is for the target spir64 only");
  return true;
}

static bool check_count(const cc_options *options) {
  const makes of = emits[options->emit].makes;
  if (options->files.count > 1 && (of == MAKES_ONE || of == MAKES_UNIT))
    return CC_FAIL("--emit=%s takes one FILE, not %zu", emits[options->emit].name,
                   options->files.count);
  if (options->target_count > 1 && of == MAKES_ONE)
    return CC_FAIL("--emit=%s takes one target, not %zu", emits[options->emit].name,
                   options->target_count);
  return true;
}

static void choose_out(cc_options *options) {
  if (options->out)
    return;
  if (options->emit == CC_EMIT_JSON || options->emit == CC_EMIT_PREPROCESSED) {
    options->out = "-";
    return;
  }
  const char *file = options->files.items[0];
  const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
  const char *dot = strrchr(name, '.');
  options->made_out = cc_format("%.*s%s", (int)(dot ? dot - name : (long)strlen(name)), name,
                                emits[options->emit].suffix);
  options->out = options->made_out;
}

static bool is_same_file(const char *left, const char *right) {
  struct stat l;
  return stat(left, &l) == 0 && S_ISREG(l.st_mode) && file_is_same(left, right);
}

/* Refuses a word before -- that is for the C++ compiler. */
static bool check_host(const cc_options *options) {
  return options->host == CC_HOST_NONE || options->files.count == 0 ||
         CC_FAIL("%s takes no FILE, '%s' given; options for its compiler follow --",
                 options->host_file, options->files.items[0]);
}

static bool keeps_file(const char *file, const char *out) {
  return !is_same_file(file, out) ||
         CC_FAIL("%s: it would be overwritten; -o names another output", out);
}

static bool complete_parts(const cc_options *options) {
  if (!options->out || strcmp(options->out, "-") == 0)
    return CC_FAIL("--host-parts makes two files, and takes -o NAME for NAME.header.hpp and "
                   "NAME.footer.hpp");
  char *header = cc_format("%s.header.hpp", options->out);
  char *footer = cc_format("%s.footer.hpp", options->out);
  const bool done =
      keeps_file(options->host_file, header) && keeps_file(options->host_file, footer);
  free(header);
  free(footer);
  return done;
}

static bool complete_host(cc_options *options) {
  if (options->host == CC_HOST_PARTS)
    return complete_parts(options);
  if (!options->out)
    options->out = "-";
  if (options->host == CC_HOST_PASS &&
      (options->files.count > 0 || options->clang_options.count > 0))
    return CC_FAIL("--host-pass takes an LLVM module, and no options for a compiler");
  return keeps_file(options->host_file, options->out);
}

/* Images of two units must not have one id. */
static bool check_units(const cc_options *options) {
  size_t count = 0;
  for (size_t i = 0; i < options->files.count; i++)
    if (cc_input_is_unit(options->files.items[i]))
      count++;
  if (count > 0 && !options->unit_id && !cc_emit_has_host(options->emit) &&
      options->emit != CC_EMIT_PREPROCESSED)
    return CC_FAIL("a file of C++ needs a --unit-id, the one that its host side has; a program is "
                   "made with --emit=program, an object with --emit=unit");
  if (count == 0 && options->unit_id)
    return CC_FAIL("--unit-id is for files of C++");
  return count <= 1 || !options->unit_id ||
         CC_FAIL("--unit-id=%s: %zu files of C++ cannot have one id", options->unit_id, count);
}

/* Where no compiler of the host takes part, clang has the words of one. */
static bool take_device_words(cc_options *options) {
  const cc_words *words = &options->words;
  const char *host = options->host_compiler_given      ? "compiler"
                     : options->host_options.count > 0 ? "option"
                     : options->host_side_given        ? "side"
                                                       : NULL;
  if (host)
    return CC_FAIL("--host-%s is for --emit=unit and program", host);
  if (options->host_level)
    return CC_FAIL("-O%s: there are -O0, -O1, -O2 and -O3", options->host_level);
  if (words->link.count > 0)
    return CC_FAIL("'%s' is for a program, and of FILE an object is made", words->link.items[0]);
  bool any = false;
  for (size_t i = 0; i < options->files.count; i++)
    any = any || cc_input_is_unit(options->files.items[i]);
  const cc_texts *passed = any ? &words->device : &words->host;
  const char *debugs = NULL;
  for (size_t i = 0; i < passed->count; i++)
    if (strncmp(passed->items[i], "-g", 2) == 0)
      debugs = passed->items[i];
    else
      cc_texts_add(&options->clang_options, passed->items[i]);
  if (debugs)
    fprintf(stderr,
            "specpi-cc: warning: %s: kernels get no debug information, because what llvm-spirv "
            "makes of it is not valid SPIR-V\n",
            debugs);
  if (!options->standard)
    options->standard = words->standard;
  return true;
}

/* Checks the words for the host's compiler, and those that it leaves no place for. */
static bool check_host_compiler(cc_options *options) {
  const char *name = emits[options->emit].name;
  if (!cc_emit_has_host(options->emit))
    return take_device_words(options);
  const bool unit = options->emit == CC_EMIT_UNIT;
  bool has_unit = false;
  for (size_t i = 0; i < options->files.count; i++) {
    const char *file = options->files.items[i];
    if (!cc_input_is_unit(file) && (unit || !cc_words_is_object(file)))
      return CC_FAIL("--emit=%s takes %s, '%s' given", name,
                     unit ? "a file of C++" : "files of C++, objects and libraries", file);
    has_unit |= cc_input_is_unit(file);
  }
  if (options->host_words.depend)
    return CC_FAIL("'%s' follows --, it is no --host-option", options->host_words.depend);
  if (unit && options->host_words.link.count > 0)
    return CC_FAIL("'%s' is for --emit=program", options->host_words.link.items[0]);
  /* Makefiles give libraries to -c, and -MD to the link of objects, where compilers ignore them. */
  if (unit && !options->compiles && options->words.link.count > 0)
    return CC_FAIL("'%s' is for --emit=program", options->words.link.items[0]);
  if (!has_unit)
    options->words.depend = NULL;
  return true;
}

/* The level of -O that devices have, too; others are the host's own. */
static void choose_level(cc_options *options) {
  const char *level = options->words.level;
  if (!level && options->host_level) /* after its "-O" */
    options->words.level = options->host_level - 2;
  else if (level && strcmp(level, "-O") == 0)
    options->level[0] = '1';
  else if (level && strlen(level) == 3 && level[2] >= '0' && level[2] <= '3')
    options->level[0] = level[2];
}

/* The file of dependences is the output's with another ending, as compilers have it. */
static bool choose_depend_out(cc_options *options) {
  if (!options->words.depend)
    return true;
  options->depend_out = options->words.depend_file;
  if (!options->depend_out) {
    if (strcmp(options->out, "-") == 0)
      return CC_FAIL("'%s' needs -MF FILE where the output has no name", options->words.depend);
    const char *slash = strrchr(options->out, '/');
    const char *dot = strrchr(slash ? slash : options->out, '.');
    options->made_depend_out = cc_format(
        "%.*s.d", (int)(dot ? dot - options->out : (long)strlen(options->out)), options->out);
    options->depend_out = options->made_depend_out;
  }
  for (size_t i = 0; i < options->files.count; i++)
    if (is_same_file(options->files.items[i], options->depend_out))
      return CC_FAIL("%s: it would be overwritten; -MF names another file", options->depend_out);
  return strcmp(options->depend_out, options->out) != 0 ||
         CC_FAIL("%s: it is the output; -MF names another file", options->depend_out);
}

/* Code for an earlier GPU runs, but is not what was asked for. One that is none is refused later.
 */
static void warn_of_gpu(const cc_options *options) {
  const char *known = specpiCompilerGetKnownGpu(options->gpu);
  if (options->gpu && known && strcmp(known, options->gpu) != 0 &&
      has_target(options, CC_TARGET_NVPTX64))
    fprintf(
        stderr,
        "specpi-cc: warning: --gpu-arch=%s: LLVM " SPECPI_CC_LLVM_VERSION
        ", with which specpi-cc was built, does not know this GPU; the PTX is for %s, the latest "
        "before it, and runs on both\n",
        options->gpu, known);
}

/* DPC++ does the same, with a warning, too: "treating 'c' input as 'c++' when -fsycl is used". */
static void warn_of_c(const cc_options *options) {
  for (size_t i = 0; i < options->words.read.count; i++)
    if (strcmp(options->words.read.items[i], "-w") == 0)
      return;
  for (size_t i = 0; i < options->files.count; i++)
    if (cc_input_is_c(options->files.items[i]))
      fprintf(stderr,
              "specpi-cc: warning: %s: a file of C is compiled as C++, because SYCL is C++; -x c++ "
              "before it, or -w, silences this\n",
              options->files.items[i]);
}

static bool complete_options(cc_options *options) {
  if (options->host != CC_HOST_NONE)
    return complete_host(options);
  if (options->files.count == 0)
    return CC_FAIL("there is no FILE");
  if (!check_host_compiler(options) || !check_units(options))
    return false;
  choose_level(options);
  if (!choose_targets(options) || !check_modes(options) || !check_count(options))
    return false;
  if (options->symbol && emits[options->emit].makes != MAKES_IMAGES)
    return CC_FAIL("--symbol is for --emit=obj, so and image");
  if (options->emit == CC_EMIT_IMAGE && !options->symbol)
    options->symbol = "specpi_images";
  choose_out(options);
  for (size_t i = 0; i < options->files.count; i++)
    if (!keeps_file(options->files.items[i], options->out))
      return false;
  if (!choose_depend_out(options))
    return false;
  warn_of_gpu(options);
  warn_of_c(options);
  if (options->shows)
    options->out = "/dev/null";
  if (options->shows && options->depend_out)
    options->depend_out = "/dev/null";
  return true;
}

/* ---- The whole ---- */

static const char *from_environment(const char *name, const char *otherwise) {
  const char *value = secure_getenv(name);
  return value && *value ? value : otherwise;
}

/* Returns whether the words of a command name a program that is, or is called, specpi-cc. */
static bool names_specpi_cc(const char *command) {
  static const char own[] = "specpi-cc";
  bool found = false;
  for (const char *at = command + strspn(command, " "); *at && !found; at += strspn(at, " ")) {
    char *word = cc_format("%.*s", (int)strcspn(at, " "), at);
    const char *slash = strrchr(word, '/');
    found = strcmp(slash ? slash + 1 : word, own) == 0 || cc_place_is_this_program(word);
    at += strlen(word);
    free(word);
  }
  return found;
}

/* $CXX, unless it is specpi-cc, as Make and CMake export it where that compiles a project. */
static const char *host_compiler_name(void) {
  const char *name = from_environment("CXX", SPECPI_CC_HOST_COMPILER);
  return names_specpi_cc(name) ? SPECPI_CC_HOST_COMPILER : name;
}

static bool is_in_path(const char *program) {
  char *path = program_find(program);
  free(path);
  return path != NULL;
}

/*
 * Returns the clang that nobody names: the one that specpi-cc was built with or, where that is a
 * name that PATH does not have, the version before, or the system's clang, whose version is asked
 * for before it compiles.
 */
static const char *find_clang(void) {
  static char before[32];
  const char *own = from_environment("SPECPI_CLANG", SPECPI_CC_CLANG);
  snprintf(before, sizeof before, "clang-%ld", strtol(SPECPI_CC_LLVM_VERSION, NULL, 10) - 1);
  if (strcmp(own, SPECPI_CC_CLANG) != 0 || strchr(own, '/') || is_in_path(own))
    return own;
  return is_in_path(before) ? before : is_in_path("clang") ? "clang" : own;
}

/* -D, -U or -I; its value is optarg. */
static bool take_macro(const char *option, cc_options *ret) {
  const char *const words[] = {option, optarg};
  CC_TEXTS_ADD_ARRAY(&ret->clang_options, words);
  CC_TEXTS_ADD_ARRAY(&ret->macros, words);
  return cc_words_may_pass(option, optarg);
}

/* Takes one option; its value is optarg. 1 is no option: a FILE. */
static bool take_option(int option, cc_options *ret) {
  switch (option) {
  case 1:
    return take_file(optarg, ret);
#define CC_SHORT(name, letter, argument, taken, help)                                              \
  case letter:                                                                                     \
    return taken;
#define CC_LONG(NAME, name, argument, taken, help)                                                 \
  case OPTION_##NAME:                                                                              \
    return taken;
#define CC_SAME(word, taken, help)
#include "options.def"
  default:
    return false; /* getopt said why */
  }
}

/* The same for a word that other compilers have; false: it is none. */
static bool take_same(const char *given, cc_options *ret) {
#define CC_SHORT(name, letter, argument, taken, help)
#define CC_LONG(NAME, name, argument, taken, help)
#define CC_SAME(word, taken, help)                                                                 \
  if (strcmp(given, word) == 0)                                                                    \
    return taken;
#include "options.def"
  return false;
}

/* Returns whether an option is for getopt, which says what is wrong with one that nobody knows. */
static bool is_own(const char *word) {
  if (strncmp(word, "--", 2) != 0) {
    const char *letter = strchr(letters + 1, word[1]); /* of "-" the end: a FILE */
    return letter && (letter[1] == ':' || word[1] == '\0' || word[2] == '\0');
  }
  for (const struct option *at = long_options; at->name; at++)
    if (strncmp(word + 2, at->name, strlen(at->name)) == 0)
      return true;
  return !cc_words_have(word);
}

/*
 * Returns whether one of our options lacks a dash: `-emit=ptx`. To compilers it would be another
 * one, -e with a value, or nothing that they know.
 */
static bool lacks_dash(const char *word) {
  const size_t length = strcspn(word, "=");
  /* -cl-std= is as good as --cl-std=. */
  if (word[0] != '-' || word[1] == '-' || word[length] != '=' || strncmp(word, "-cl-", 4) == 0)
    return false;
  for (const struct option *at = long_options; at->name; at++)
    if (strlen(at->name) == length - 1 && strncmp(word + 1, at->name, length - 1) == 0) {
      cc_error("unrecognized option '%s': did you mean -%.*s?", word, (int)length, word);
      return true;
    }
  return false;
}

/* Takes the words of a compiler that come next, as far as argv has them. */
static void take_compiler_words(int argc, char **argv, cc_options *ret) {
  for (int size = cc_words_size(argv[optind]); size > 0 && optind < argc; size--)
    cc_texts_add(&ret->front, argv[optind++]);
}

static int fail_usage(cc_options *options) {
  fputs("specpi-cc --help lists the options\n", stderr);
  cc_options_free(options);
  return CC_USAGE;
}

static int show_texts(const char *const *texts, size_t count, cc_options *options) {
  cc_options_free(options);
  for (size_t i = 0; i < count; i++)
    fputs(texts[i], stdout);
  if (fflush(stdout) == 0 && !ferror(stdout))
    return CC_SUCCESS;
  cc_error("the output could not be written");
  return CC_FAILURE;
}

/* Reads what follows the options. */
static bool take_rest(int argc, char **argv, cc_options *options) {
  cc_texts rest = {0};
  for (int i = optind; i < argc; i++)
    cc_texts_add(&rest, argv[i]);
  if (options->host == CC_HOST_NONE && options->files.count == 0 && !options->emit_given) {
    cc_texts_add_all(&options->files, &rest); /* names that begin with a dash, too */
    rest.count = 0;
  }
  bool done = check_host(options) && (options->host != CC_HOST_NONE || choose_emit(options));
  if (options->host == CC_HOST_NONE && cc_emit_has_host(options->emit)) {
    cc_texts_add_all(&options->front, &rest);
    done = done && cc_words_take(&options->host_words, options->host_options.items,
                                 options->host_options.count);
  } else {
    cc_texts_add_all(&options->files, &rest);
  }
  cc_texts_free(&rest);
  if (done && options->host != CC_HOST_NONE)
    cc_texts_add_all(&options->files, &options->front);
  return done && (options->host != CC_HOST_NONE ||
                  cc_words_take(&options->words, options->front.items, options->front.count));
}

/* Says which SYCL the options before this one choose. */
static int print_sycl_rt(cc_options *options) {
  cc_sycl_rt found;
  const bool done = cc_sycl_rt_find(options, &found);
  if (found.directory)
    puts(found.directory);
  cc_sycl_rt_free(&found);
  cc_options_free(options);
  return done ? CC_SUCCESS : CC_FAILURE;
}

/* As cc_options_parse. */
static int take_options(int argc, char **argv, cc_options *options) {
  static const char *const version[] = {"specpi-cc " SPECPI_CC_VERSION "\n"};
  while (optind < argc) {
    const char *word = argv[optind];
    if (take_same(word, options)) {
      optind++;
      continue;
    }
    if (lacks_dash(word))
      return fail_usage(options);
    if (word[0] == '-' && !is_own(word)) {
      take_compiler_words(argc, argv, options);
      continue;
    }
    const int option = getopt_long(argc, argv, letters, long_options, NULL);
    if (option == -1)
      break;
    if (option == OPTION_HELP || option == 'h')
      return show_texts(usage, sizeof usage / sizeof usage[0], options);
    if (option == OPTION_VERSION || option == 'V')
      return show_texts(version, 1, options);
    if (option == OPTION_PRINT_SYCL_RT)
      return print_sycl_rt(options);
    if (option == '?') {
      nearest_option("specpi-cc", word, long_options);
      cc_options_free(options);
      return CC_USAGE;
    }
    if (!take_option(option, options))
      return fail_usage(options);
  }
  return take_rest(argc, argv, options) ? -1 : fail_usage(options);
}

int cc_options_parse(int argc, char **argv, cc_options *ret) {
  cc_options options = {
      .level = "2",
      .spirv_version = "1.3",
      .clang = find_clang(),
      .translator = from_environment("SPECPI_LLVM_SPIRV", SPECPI_CC_LLVM_SPIRV),
      .linker = from_environment("SPECPI_CC", SPECPI_CC_LINKER),
      .libclc = from_environment("SPECPI_LIBCLC", cc_place_libclc()),
      .libdevice = from_environment("SPECPI_LIBDEVICE", libdevice_place()),
      .host_compiler = host_compiler_name(),
  };
  static char name[] = "specpi-cc"; /* what getopt puts in front of its messages */
  if (argc > 0)
    argv[0] = name;
  const int status = take_options(argc, argv, &options);
  if (status >= 0)
    return status;
  if (!complete_options(&options))
    return fail_usage(&options);
  *ret = options;
  return -1;
}

void cc_options_free(cc_options *options) {
  cc_texts_free(&options->clang_options);
  cc_texts_free(&options->macros);
  cc_texts_free(&options->device_options);
  cc_texts_free(&options->host_options);
  cc_texts_free(&options->front);
  cc_words_free(&options->words);
  cc_words_free(&options->host_words);
  cc_texts_free(&options->translator_options);
  cc_texts_free(&options->files);
  free(options->made_out);
  free(options->made_depend_out);
}
