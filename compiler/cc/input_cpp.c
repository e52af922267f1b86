/*
 * C++ units. Clang compiles all of a unit for SYCL devices, with the host's own C++ library, and
 * the compiler library leaves of it what kernels reach.
 */
#include "input.h"

#include "assembly.h"
#include "child.h"
#include "depend.h"
#include "jobs.h"
#include "kernel_attributes.h"
#include "place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The host's platform, whose headers are read and whose types the host's side has. */
#define HOST_TRIPLE SPECPI_CC_HOST_TRIPLE

/* ---- The host's headers ---- */

/* Returns whether an option of clang's says where the host's headers are. */
static bool is_about_headers(const char *option) {
  static const char *const prefixes[] = {
      "--sysroot",         "-isysroot", "-stdlib=",    "--gcc-toolchain",
      "--gcc-install-dir", "-nostdinc", "-nostdlibinc"};
  return CC_BEGINS_WITH(option, prefixes);
}

/* Asks clang, who knows them for the host only. */
static bool ask_directories(cc_work *work, const char *file, const char *words) {
  const cc_options *options = work->options;
  const char *const asked[] = {options->clang, "-target", HOST_TRIPLE, "-E", "-x",
                               "c++",          "-v",      "/dev/null", "-o", "/dev/null"};
  cc_texts command = {0};
  CC_TEXTS_ADD_ARRAY(&command, asked);
  for (size_t i = 0; i < options->clang_options.count; i++)
    if (is_about_headers(options->clang_options.items[i]))
      cc_texts_add(&command, options->clang_options.items[i]);
  const bool done = child_ask(&command, "--clang", file, words, options->verbose);
  cc_texts_free(&command);
  return done;
}

/* The directories of headers of the host, a line each between two lines that clang always writes.
 */
static bool find_directories(cc_work *work, const char *file) {
  static const char before[] = "#include <...> search starts here:\n";
  static const char after[] = "End of search list.";
  if (work->host_words.data)
    return true;
  char *words = cc_work_file(work, ".txt");
  const bool done = ask_directories(work, file, words) && file_read(words, &work->host_words);
  free(words);
  if (!done)
    return false;
  char *line = strstr(work->host_words.data, before);
  char *end = line ? strstr(line, after) : NULL;
  if (!end)
    return CC_FAIL("%s: '%s' does not say where the host's headers are", file,
                   work->options->clang);
  for (line += sizeof before - 1; line < end; line += strlen(line) + 1) {
    line[strcspn(line, "\n")] = '\0';
    cc_texts_add(&work->host_directories, line + strspn(line, " "));
  }
  return true;
}

/* ---- The steps ---- */

/*
 * Features of the host's processor. Host code calls functions that are for them, which clang looks
 * up when it reads the calls; no kernel can reach one.
 */
static const char *const features[] = {
    "+mmx",    "+sse",     "+sse2",     "+sse3",     "+ssse3",    "+sse4.1", "+sse4.2", "+avx",
    "+avx2",   "+fma",     "+f16c",     "+bmi",      "+bmi2",     "+lzcnt",  "+aes",    "+pclmul",
    "+popcnt", "+avx512f", "+avx512bw", "+avx512vl", "+avx512dq", "+crc32"};

/*
 * Functions of the host's compiler that end clang, or that it refuses, when it makes code of them
 * for another processor. Host code is the only one that calls them.
 */
static const char *const built_in[] = {
    "-D__builtin_cpu_init()=((void)0)",
    "-D__builtin_cpu_is(name)=0",
    "-D__builtin_cpu_supports(name)=0",
    "-D__builtin_ia32_pause()=((void)0)",
};

/* Adds what every run of clang over the unit has. */
static void add_front(cc_work *work, cc_target target, cc_texts *command) {
  const cc_options *options = work->options;
  const char *const words[] = {
      options->clang,
      "-x",
      "c++",
      "-std=c++17",
      "-nostdinc",
      "-Xclang",
      "-fsycl-is-device",
      "-Xclang",
      "-aux-triple",
      "-Xclang",
      HOST_TRIPLE,
      "-D__SYCL_DEVICE_ONLY__=1",
      /* The host's; it is refused where a kernel has it, and not another size there. */
      "-Xclang",
      "-mlong-double-80",
      "-fno-math-errno",
      "-fno-jump-tables",
      /* Whoever compiles the host's side says them. */
      "-w",
      cc_input_macro(target),
  };
  CC_TEXTS_ADD_ARRAY(command, words);
  if (work->progress && work->progress->colour)
    cc_texts_add(command, CC_COLOUR);
  CC_TEXTS_ADD_ARRAY(command, built_in);
  cc_input_add_common(work, command);
  for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
    const char *const feature[] = {"-Xclang", "-target-feature", "-Xclang", features[i]};
    CC_TEXTS_ADD_ARRAY(command, feature);
  }
  cc_texts_add_all(command, &options->clang_options);
  cc_place_add_headers(command);
  for (size_t i = 0; i < work->host_directories.count; i++) {
    cc_texts_add(command, "-isystem");
    cc_texts_add(command, work->host_directories.items[i]);
  }
}

/* Runs clang over the unit, with these words besides, which make a file. */
static bool run_front(cc_work *work, const char *file, cc_target target, const cc_texts *words,
                      const char *made) {
  char *source = cc_path_word(file);
  cc_texts command = {0};
  add_front(work, target, &command);
  cc_texts_add_all(&command, words);
  cc_texts_add(&command, "-o");
  cc_texts_add(&command, made);
  cc_texts_add(&command, source);
  const bool done = child_run(&command, "--clang", file, made, work->options->verbose);
  cc_texts_free(&command);
  free(source);
  return done;
}

/* A unit as clang compiles it. */
typedef struct cpp_unit {
  const char *file;
  const char *id;
  const char *text; /* preprocessed, and in place of the file; NULL: the file is compiled */
  cc_target target;
} cpp_unit;

/*
 * Compiles the unit, host code and all, to assembly that nothing has optimised, with debug
 * information: it has the lines of the source, and the names of what lambdas capture.
 */
static bool make_assembly(cc_work *work, const cpp_unit *unit, const char *out) {
  char *level = cc_format("-O%s", work->options->level);
  char *map = unit->text ? cc_format("%s;%s", unit->file, unit->text) : NULL;
  /* After the user's options, one of which may ask for less. */
  const char *const always[] = {level, "-g", "-S", "-Xclang", "-disable-llvm-passes"};
  const char *const mapped[] = {"-x", "c++-cpp-output",    "-Xclang", "-remap-file", "-Xclang",
                                map,  "-Qunused-arguments"};
  cc_texts words = {0};
  CC_TEXTS_ADD_ARRAY(&words, always);
  if (map)
    CC_TEXTS_ADD_ARRAY(&words, mapped);
  const bool done = run_front(work, unit->file, unit->target, &words, out);
  cc_texts_free(&words);
  free(map);
  free(level);
  return done;
}

/* Writes the unit's kernels as bitcode that the caller frees. */
static specpi_compiler_result write_bitcode(specpi_compiler_module unit, const char *unit_id,
                                            void **bitcode, size_t *size) {
  const specpi_compiler_unit_options options = {.unit_id = unit_id, .drop_lines = true};
  specpi_compiler_module kernels = NULL;
  specpi_compiler_result result = specpiCompilerModuleMakeKernels(unit, &options, &kernels);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = specpiCompilerModuleWrite(kernels, SPECPI_COMPILER_FORM_BC, bitcode, size);
  specpiCompilerModuleRelease(kernels);
  return result;
}

/* Reads a unit and writes its kernels as bitcode that the caller frees. */
static specpi_compiler_result make_kernels(const char *from, const char *unit_id, void **bitcode,
                                           size_t *size) {
  specpi_compiler compiler;
  specpi_compiler_module unit = NULL;
  specpi_compiler_result result = specpiCompilerCreate(&compiler);
  if (result != SPECPI_COMPILER_SUCCESS)
    return result;
  result = specpiCompilerModuleReadFile(compiler, from, &unit);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = write_bitcode(unit, unit_id, bitcode, size);
  specpiCompilerModuleRelease(unit);
  specpiCompilerRelease(compiler);
  return result;
}

/* Writes the kernels of a unit. */
static bool write_kernels(cc_work *work, const cpp_unit *unit, const char *kernels) {
  char *assembly = cc_work_file(work, ".ll");
  bool done = make_assembly(work, unit, assembly) && assembly_empty_host_code(assembly) &&
              assembly_mend_casts(assembly) && assembly_widen_fields(assembly);
  void *bytes = NULL;
  size_t size = 0;
  if (done && make_kernels(assembly, unit->id, &bytes, &size) != SPECPI_COMPILER_SUCCESS)
    done = CC_FAIL("%s: %s", unit->file, specpiCompilerGetLastError());
  done = done && file_write(kernels, kernels, bytes, size, false);
  free(bytes);
  free(assembly);
  return done;
}

/* ---- Several targets ---- */

/* A unit depends on the files that the preprocessor reads. */
static bool preprocess(cc_work *work, const char *file, cc_target target, const char *out) {
  char *read = cc_work_dependences(work, target);
  cc_texts words = {0};
  cc_texts_add(&words, "-E");
  cc_depend_ask(&words, &work->options->words, read);
  const bool done = run_front(work, file, target, &words, out);
  cc_texts_free(&words);
  free(read);
  return done;
}

static bool is_same_text(const char *one, const char *other, bool *ret) {
  file_bytes texts[2] = {{0}};
  const bool done = file_read(one, &texts[0]) && file_read(other, &texts[1]);
  if (done)
    *ret =
        texts[0].size == texts[1].size && memcmp(texts[0].data, texts[1].data, texts[0].size) == 0;
  file_free(&texts[0]);
  file_free(&texts[1]);
  return done;
}

/* Compiles a unit, or else what its kernels' attributes make of its text. */
static bool compile_text(cc_work *work, const char *file, cc_target target, const char *unit_id,
                         const cc_compiled *compiled) {
  char *rewritten = cc_work_file(work, ".ii");
  bool any = false;
  const bool done = cc_kernel_attributes_rewrite(compiled->text, rewritten, &any) &&
                    write_kernels(work,
                                  &(cpp_unit){.file = file,
                                              .id = unit_id,
                                              .text = any ? rewritten : NULL,
                                              .target = target},
                                  compiled->kernels);
  free(rewritten);
  return done;
}

/*
 * The kernels of a unit for one of several targets. Few units ask which one it is, and where the
 * preprocessor makes the same of one for all, clang does, too, and has to compile it only once:
 * what it makes is for SPIR either way.
 */
static bool find_kernels(cc_work *work, const char *file, cc_target target, const char *unit_id) {
  cc_compiled *latest = &work->compiled;
  cc_compiled compiled = {.file = file, .text = cc_work_file(work, ".ii")};
  bool same = false;
  bool done = preprocess(work, file, target, compiled.text) &&
              (latest->file != file || is_same_text(latest->text, compiled.text, &same));
  if (done && !same) {
    compiled.kernels = cc_work_file(work, ".bc");
    done = compile_text(work, file, target, unit_id, &compiled);
  }
  if (done && !same) {
    free(latest->text);
    free(latest->kernels);
    *latest = compiled;
  } else {
    free(compiled.text);
    free(compiled.kernels);
  }
  return done;
}

bool cc_input_preprocess_cpp(cc_work *work, const char *file, cc_target target, const char *out) {
  return cc_input_prepare(work, file) && find_directories(work, file) &&
         preprocess(work, file, target, out);
}

bool cc_input_compile_cpp(cc_work *work, const char *file, cc_target target, const char *unit_id) {
  return cc_input_prepare(work, file) && find_directories(work, file) &&
         find_kernels(work, file, target, unit_id);
}
