#include "host_compiler.h"

#include "child.h"
#include "depend.h"
#include "host_pass.h"
#include "jobs.h"
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPTION "--host-compiler"

/* ---- Which one it is ---- */

/*
 * "ccache g++ -m64" is several words, as Make has it; "/my tools/g++" is one if it is there.
 * Options for it may follow.
 */
static void split_name(const char *name, const char *options, cc_host_compiler *compiler) {
  if (access(name, X_OK) == 0 && !options) {
    compiler->words = cc_format("%s", name);
    cc_texts_add(&compiler->command, compiler->words);
    return;
  }
  compiler->words = cc_format("%s %s", name, options ? options : "");
  for (char *at = compiler->words + strspn(compiler->words, " "); *at; at += strspn(at, " ")) {
    cc_texts_add(&compiler->command, at);
    at += strcspn(at, " ");
    if (*at)
      *at++ = '\0';
  }
}

/* Reads what a compiler says to words. option: as for cc_clang_version. */
static bool ask_compiler(cc_work *work, const cc_texts *compiler, const cc_texts *words,
                         const char *option, const char *file, file_bytes *ret) {
  cc_texts command = {0};
  char *answer = cc_work_file(work, ".txt");
  cc_texts_add_all(&command, compiler);
  cc_texts_add_all(&command, words);
  const bool asked_well = option ? child_ask(&command, option, file, answer, work->options->verbose)
                                 : child_try(&command, answer);
  const bool done = asked_well && file_read(answer, ret);
  free(answer);
  cc_texts_free(&command);
  return done;
}

bool cc_clang_version(cc_work *work, const cc_texts *compiler, const char *option, const char *file,
                      int *ret, digest *ret_macros) {
  static const char version_macro[] = "#define __clang_major__ ";
  static const char *const asked[] = {"-dM", "-E", "-x", "c++", "/dev/null"};
  cc_texts words = {0};
  file_bytes macros = {0};
  CC_TEXTS_ADD_ARRAY(&words, asked);
  const bool done = ask_compiler(work, compiler, &words, option, file, &macros);
  const char *version = done ? strstr(macros.data, version_macro) : NULL;
  *ret = version ? (int)strtol(version + sizeof version_macro - 1, NULL, 10) : 0;
  if (ret_macros)
    *ret_macros = digest_make(macros.data, macros.size);
  file_free(&macros);
  cc_texts_free(&words);
  return done;
}

/* Finds the directory of the compiler's own headers, among them omp.h, if it compiles OpenMP. */
static bool find_openmp(cc_work *work, const char *file, cc_host_compiler *compiler) {
  const cc_texts *given = &work->options->words.host;
  cc_texts words = {0};
  file_bytes said = {0};
  size_t at = 0;
  while (at < given->count && strncmp(given->items[at], "-fopenmp", 8) != 0)
    at++;
  if (at == given->count)
    return true;
  cc_texts_add(&words, "-print-file-name=include");
  const bool done = ask_compiler(work, &compiler->command, &words, OPTION, file, &said);
  if (done)
    compiler->openmp = cc_format("%.*s", (int)strcspn(said.data, "\n"), said.data);
  file_free(&said);
  cc_texts_free(&words);
  return done;
}

bool cc_host_compiler_open(cc_work *work, const char *file, cc_host_compiler *ret) {
  *ret = (cc_host_compiler){0};
  if (!cc_sycl_rt_find(work->options, &ret->sycl))
    return false;
  if (work->options->verbose)
    fprintf(stderr, "specpi-cc: the host's side is made with --host-side=%s\n",
            cc_host_side_name(work->options->host_side));
  const cc_words *words = &work->options->words;
  split_name(words->host_compiler ? words->host_compiler : work->options->host_compiler,
             words->host_compiler_options, ret);
  if (ret->command.count == 0)
    return CC_FAIL("%s: the name of the host's compiler is blank; " OPTION "=PROGRAM names one",
                   file);
  return cc_clang_version(work, &ret->command, OPTION, file, &ret->clang, &ret->macros) &&
         (!ret->sycl.directory || find_openmp(work, file, ret));
}

void cc_host_compiler_free(cc_host_compiler *compiler) {
  cc_texts_free(&compiler->command);
  cc_sycl_rt_free(&compiler->sycl);
  free(compiler->words);
  free(compiler->openmp);
}

/* ---- Compiling ---- */

/* Adds the options that each compilation of a source begins with; those of users count more. */
static void add_common(const cc_work *work, const cc_host_compiler *compiler, const char *level,
                       cc_texts *command) {
  /* So that clang numbers lambdas, which name kernels, as it does for devices. */
  static const char *const numbering[] = {"-Xclang", "-fsycl-is-host"};
  cc_texts_add_all(command, &compiler->command);
  if (compiler->clang)
    CC_TEXTS_ADD_ARRAY(command, numbering);
  if (work->progress && work->progress->colour)
    cc_texts_add(command, CC_COLOUR);
  cc_texts_add(command, "-std=c++17");
  cc_texts_add(command, level);
}

static void add_users(const cc_options *options, const cc_host_compiler *compiler,
                      cc_texts *command) {
  cc_texts_add_all(command, &options->macros);
  cc_texts_add_all(command, &options->words.host);
  cc_texts_add_all(command, &options->host_words.host);
  if (compiler->clang)
    cc_texts_add_all(command, &options->words.clang);
}

static void add_headers(const cc_host_compiler *compiler, cc_texts *command) {
  if (compiler->sycl.directory)
    cc_host_compiler_add_runtime(compiler, command);
  else
    cc_place_add_headers(command);
}

void cc_host_compiler_add_runtime(const cc_host_compiler *compiler, cc_texts *command) {
  /* Kernels' names are clang's; attributes of DPC++ are for devices. */
  static const char *const names[] = {"-D__SYCL_UNNAMED_LAMBDA__", "-Wno-unknown-attributes"};
  /* The device's version, with which ranges are rounded up; clang's own is older, GCC has none. */
  static const char *const version[] = {"-USYCL_LANGUAGE_VERSION",
                                        "-DSYCL_LANGUAGE_VERSION=202012L"};
  CC_TEXTS_ADD_ARRAY(command, version);
  if (compiler->clang)
    CC_TEXTS_ADD_ARRAY(command, names);
  else /* GCC takes no [[deprecated]] after a class's visibility. */
    cc_texts_add(command, "-DSYCL2020_DISABLE_DEPRECATION_WARNINGS");
  if (compiler->clang >= CC_SYCL_RT_NAMES_SINCE)
    cc_texts_add(command, CC_SYCL_RT_NAMES);
  cc_place_add_sycl_rt(command, compiler->sycl.include, compiler->clang != 0);
}

char *cc_host_compiler_level(const cc_options *options) {
  const char *given = options->host_words.level ? options->host_words.level : options->words.level;
  return given ? cc_format("%s", given) : cc_format("-O%s", options->level);
}

void cc_host_compiler_add_words(const cc_work *work, const cc_host_compiler *compiler,
                                const char *level, cc_texts *command) {
  add_common(work, compiler, level, command);
  add_users(work->options, compiler, command);
}

bool cc_host_compiler_takes(cc_work *work, const cc_host_compiler *compiler, const char *file) {
  const cc_options *options = work->options;
  char *level = cc_host_compiler_level(options);
  char *source = cc_path_word(file);
  cc_texts command = {0};
  cc_host_compiler_add_words(work, compiler, level, &command);
  add_headers(compiler, &command);
  cc_texts_add(&command, "-fsyntax-only");
  cc_texts_add_array(&command, (const char *const[]){"-x", "c++", source}, 3);
  /* It writes nothing, and so the file that has to be there is its input. */
  const bool done = child_run(&command, OPTION, file, source, options->verbose);
  cc_texts_free(&command);
  free(source);
  free(level);
  return done;
}

/* Where SYCL is a runtime's, some headers stand before a source and its integration header. */
static void add_runtime_headers(const cc_host_compiler *compiler, const cc_host_unit *unit,
                                cc_texts *command) {
  const char *const precompiled[] = {"-include", unit->precompiled};
  const char *const words[] = {"-isystem", unit->directory, "-include", unit->captures};
  if (unit->precompiled)
    CC_TEXTS_ADD_ARRAY(command, precompiled);
  if (compiler->sycl.directory)
    cc_texts_add_array(command, words, compiler->clang ? 2 : 4);
}

bool cc_host_compiler_generate(cc_work *work, const cc_host_compiler *compiler,
                               const cc_host_unit *unit) {
  const cc_options *options = work->options;
  char *level = cc_host_compiler_level(options);
  const char *const words[] = {"-Qunused-arguments", "-c", "-o", unit->object, "-x", "ir",
                               unit->bitcode};
  cc_texts command = {0};
  cc_host_compiler_add_words(work, compiler, level, &command);
  if (options->emit == CC_EMIT_UNIT)
    cc_texts_add(&command, "-fno-lto");
  CC_TEXTS_ADD_ARRAY(&command, words);
  const bool done = child_run(&command, OPTION, unit->file, unit->object, options->verbose);
  cc_texts_free(&command);
  free(level);
  return done;
}

bool cc_host_compiler_compile(cc_work *work, const cc_host_compiler *compiler,
                              const cc_host_unit *unit) {
  const cc_options *options = work->options;
  const char *slash = strrchr(unit->file, '/');
  const int size = slash ? (int)(slash + 1 - unit->file) : 0;
  char *level = cc_host_compiler_level(options);
  /* A file beside the source is found as if the made file were there, if there is one. */
  char *beside = size > 0 ? cc_path_word(unit->file) : cc_format(".");
  if (size > 0)
    strrchr(beside, '/')[1] = '\0';
  /* Names of files in debug information are then the source's, and not of this run. */
  char *map =
      cc_format("-ffile-prefix-map=%s/=%.*s", unit->directory, size, size > 0 ? unit->file : "");
  const char *out = unit->bitcode ? unit->bitcode : unit->object;
  const char *const before[] = {map, "-include", unit->header, "-iquote", beside};
  const char *const after[] = {"-c", "-o", out, "-x", "c++", unit->made};
  cc_texts command = {0};
  add_common(work, compiler, level, &command);
  add_runtime_headers(compiler, unit, &command);
  cc_texts_add_array(&command, before, unit->bitcode ? 3 : 5);
  if (compiler->sycl.directory && !compiler->clang)
    cc_place_add_kernel_slot(&command);
  add_users(options, compiler, &command);
  add_headers(compiler, &command);
  /* Two objects become one, for which they have to be code. */
  if (options->emit == CC_EMIT_UNIT)
    cc_texts_add(&command, "-fno-lto");
  if (unit->bitcode)
    cc_host_pass_add_words(compiler, options, &command);
  cc_depend_ask(&command, &options->words, unit->depend);
  CC_TEXTS_ADD_ARRAY(&command, after);
  const bool done = child_run(&command, OPTION, unit->file, out, options->verbose);
  cc_texts_free(&command);
  free(map);
  free(beside);
  free(level);
  return done;
}

/* ---- Linking ---- */

bool cc_host_compiler_merge(cc_work *work, const cc_host_compiler *compiler, const char *file,
                            const cc_texts *objects, const char *object) {
  cc_texts command = {0};
  cc_texts_add_all(&command, &compiler->command);
  cc_texts_add(&command, "-r");
  cc_texts_add(&command, "-nostdlib");
  cc_texts_add_all(&command, objects);
  cc_texts_add(&command, "-o");
  cc_texts_add(&command, object);
  const bool done = child_run(&command, OPTION, file, object, work->options->verbose);
  cc_texts_free(&command);
  return done;
}

/*
 * Adds the libraries in which SYCL is, and says where they will be found. Not those of both kinds:
 * images are given to the first that takes them.
 */
static bool add_libraries(const cc_host_compiler *compiler, cc_texts *command, cc_texts *made) {
  static const char *const own[] = {"libspecpi-sycl.so", "libspecpi.so", NULL};
  static const char *const theirs[] = {"libsycl.so", NULL};
  const char *sycl = compiler->sycl.directory;
  char *directory = sycl ? cc_format("%s", sycl) : cc_place_library();
  if (!directory)
    return false;
  cc_texts_add(made, directory);
  for (const char *const *name = sycl ? theirs : own; *name; name++) {
    char *path = cc_format("%s/%s", directory, *name);
    cc_texts_add(made, path);
    cc_texts_add(command, path);
  }
  /* -L, because projects for DPC++ name -lsycl, too, which that finds by itself. */
  const char *const path[] = {"-Xlinker", "-rpath", "-Xlinker", directory, "-L", directory};
  CC_TEXTS_ADD_ARRAY(command, path);
  return true;
}

bool cc_host_compiler_link(cc_work *work, const cc_host_compiler *compiler, const cc_texts *objects,
                           const char *program) {
  const cc_options *options = work->options;
  cc_texts made = {0};
  char *level = cc_host_compiler_level(options);
  cc_texts command = {0};
  cc_texts_add_all(&command, &compiler->command);
  if (compiler->clang) /* by this step */
    cc_texts_add(&command, "-Qunused-arguments");
  cc_texts_add(&command, level);
  cc_texts_add_all(&command, &options->words.host);
  cc_texts_add_all(&command, &options->host_words.host);
  cc_texts_add_all(&command, objects);
  cc_texts_add_all(&command, &options->words.link);
  cc_texts_add_all(&command, &options->host_words.link);
  bool done = add_libraries(compiler, &command, &made);
  cc_texts_add(&command, "-o");
  cc_texts_add(&command, program);
  done = done && child_run(&command, OPTION, options->out, program, options->verbose);
  cc_texts_free(&command);
  for (size_t i = 0; i < made.count; i++)
    free((char *)made.items[i]);
  cc_texts_free(&made);
  free(level);
  return done;
}
