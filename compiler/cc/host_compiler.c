#include "host_compiler.h"

#include "child.h"
#include "depend.h"
#include "jobs.h"
#include "place.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPTION "--host-compiler"

/* ---- Which one it is ---- */

/* "ccache g++ -m64" is several words, as Make has it; "/my tools/g++" is one if it is there. */
static void split_name(const char *name, cc_host_compiler *it) {
  it->words = cc_format("%s", name);
  if (access(name, X_OK) == 0) {
    cc_texts_add(&it->command, it->words);
    return;
  }
  for (char *at = it->words + strspn(it->words, " "); *at; at += strspn(at, " ")) {
    cc_texts_add(&it->command, at);
    at += strcspn(at, " ");
    if (*at)
      *at++ = '\0';
  }
}

bool cc_host_compiler_open(cc_work *work, const char *file, cc_host_compiler *ret) {
  static const char *const asked[] = {"-dM", "-E", "-x", "c++", "/dev/null"};
  *ret = (cc_host_compiler){0};
  split_name(work->options->host_compiler, ret);
  if (ret->command.count == 0)
    return CC_FAIL("%s: the name of the host's compiler is blank; " OPTION "=PROGRAM names one",
                   file);
  cc_texts command = {0};
  char *words = cc_work_file(work, ".txt");
  file_bytes macros = {0};
  cc_texts_add_all(&command, &ret->command);
  CC_TEXTS_ADD_ARRAY(&command, asked);
  const bool done =
      child_ask(&command, OPTION, file, words, work->options->verbose) && file_read(words, &macros);
  ret->is_clang = done && strstr(macros.data, "#define __clang__ ") != NULL;
  file_free(&macros);
  free(words);
  cc_texts_free(&command);
  return done;
}

void cc_host_compiler_free(cc_host_compiler *it) {
  cc_texts_free(&it->command);
  free(it->words);
}

/* ---- Compiling ---- */

/* What each compilation of a source begins with; the users' options count more. */
static void add_common(const cc_work *work, const cc_host_compiler *it, const char *level,
                       cc_texts *command) {
  /* So that clang numbers lambdas, which name kernels, as it does for devices. */
  static const char *const numbering[] = {"-Xclang", "-fsycl-is-host"};
  cc_texts_add_all(command, &it->command);
  if (it->is_clang)
    CC_TEXTS_ADD_ARRAY(command, numbering);
  if (work->progress && work->progress->colour)
    cc_texts_add(command, CC_COLOUR);
  cc_texts_add(command, "-std=c++17");
  cc_texts_add(command, level);
}

static void add_users(const cc_options *options, cc_texts *command) {
  cc_texts_add_all(command, &options->macros);
  cc_texts_add_all(command, &options->words.host);
  cc_texts_add_all(command, &options->host_words.host);
  cc_place_add_headers(command);
}

static char *make_level(const cc_options *options) {
  const char *given = options->host_words.level ? options->host_words.level : options->words.level;
  return given ? cc_format("%s", given) : cc_format("-O%s", options->level);
}

bool cc_host_compiler_takes(cc_work *work, const cc_host_compiler *it, const char *file) {
  const cc_options *options = work->options;
  char *level = make_level(options);
  char *source = cc_path_word(file);
  cc_texts command = {0};
  add_common(work, it, level, &command);
  add_users(options, &command);
  cc_texts_add(&command, "-fsyntax-only");
  cc_texts_add(&command, source);
  /* It writes nothing, and so the file that has to be there is its input. */
  const bool done = child_run(&command, OPTION, file, source, options->verbose);
  cc_texts_free(&command);
  free(source);
  free(level);
  return done;
}

bool cc_host_compiler_compile(cc_work *work, const cc_host_compiler *it, const cc_host_unit *unit) {
  const cc_options *options = work->options;
  const char *slash = strrchr(unit->file, '/');
  const int size = slash ? (int)(slash + 1 - unit->file) : 0;
  char *level = make_level(options);
  /* What lies beside the source is found as if the made file were there. */
  char *beside = size > 0 ? cc_path_word(unit->file) : cc_format(".");
  if (size > 0)
    strrchr(beside, '/')[1] = '\0';
  /* Names of files in debug information are then the source's, and not of this run. */
  char *map =
      cc_format("-ffile-prefix-map=%.*s=%.*s", (int)(strrchr(unit->made, '/') + 1 - unit->made),
                unit->made, size, size > 0 ? unit->file : "");
  const char *const before[] = {map, "-include", unit->header, "-iquote", beside};
  const char *const after[] = {"-c", "-o", unit->object, unit->made};
  const char *const depend[] = {options->words.depend, "-MF", unit->depend, "-MT",
                                CC_DEPEND_TARGET};
  cc_texts command = {0};
  add_common(work, it, level, &command);
  CC_TEXTS_ADD_ARRAY(&command, before);
  add_users(options, &command);
  /* Two objects become one, for which they have to be code. */
  if (options->emit == CC_EMIT_UNIT)
    cc_texts_add(&command, "-fno-lto");
  if (unit->depend)
    CC_TEXTS_ADD_ARRAY(&command, depend);
  CC_TEXTS_ADD_ARRAY(&command, after);
  const bool done = child_run(&command, OPTION, unit->file, unit->object, options->verbose);
  cc_texts_free(&command);
  free(map);
  free(beside);
  free(level);
  return done;
}

/* ---- Linking ---- */

bool cc_host_compiler_merge(cc_work *work, const cc_host_compiler *it, const char *file,
                            const cc_texts *objects, const char *object) {
  cc_texts command = {0};
  cc_texts_add_all(&command, &it->command);
  cc_texts_add(&command, "-r");
  cc_texts_add(&command, "-nostdlib");
  cc_texts_add_all(&command, objects);
  cc_texts_add(&command, "-o");
  cc_texts_add(&command, object);
  const bool done = child_run(&command, OPTION, file, object, work->options->verbose);
  cc_texts_free(&command);
  return done;
}

bool cc_host_compiler_link(cc_work *work, const cc_host_compiler *it, const cc_texts *objects,
                           const char *program) {
  const cc_options *options = work->options;
  char *folder = cc_place_library();
  if (!folder)
    return false;
  char *level = make_level(options);
  char *sycl = cc_format("%s/libspecpi-sycl.so", folder);
  char *library = cc_format("%s/libspecpi.so", folder);
  const char *const path[] = {"-Xlinker", "-rpath", "-Xlinker", folder};
  cc_texts command = {0};
  cc_texts_add_all(&command, &it->command);
  if (it->is_clang) /* by this step */
    cc_texts_add(&command, "-Qunused-arguments");
  cc_texts_add(&command, level);
  cc_texts_add_all(&command, &options->words.host);
  cc_texts_add_all(&command, &options->host_words.host);
  cc_texts_add_all(&command, objects);
  cc_texts_add_all(&command, &options->words.link);
  cc_texts_add_all(&command, &options->host_words.link);
  cc_texts_add(&command, sycl);
  cc_texts_add(&command, library);
  CC_TEXTS_ADD_ARRAY(&command, path);
  cc_texts_add(&command, "-o");
  cc_texts_add(&command, program);
  const bool done = child_run(&command, OPTION, options->out, program, options->verbose);
  cc_texts_free(&command);
  free(sycl);
  free(library);
  free(level);
  free(folder);
  return done;
}
