#define _GNU_SOURCE /* setenv */
#include "program.h"

#include "input.h"
#include "jobs.h"
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Puts objects and units where they belong, in the FILEs' order. */
static bool add_objects(const cc_work *work, const cc_unit *units, cc_texts *objects,
                        cc_depend *depend) {
  const cc_texts *files = &work->options->files;
  for (size_t i = 0; i < files->count; i++)
    if (!cc_input_is_unit(files->items[i]))
      cc_texts_add(objects, cc_path_word(files->items[i]));
    else if (!cc_unit_add(work, units++, objects, depend))
      return false;
  return true;
}

/* Opens the units and looks for the objects. false after an error. */
static bool open_files(cc_work *work, const cc_precompiled *precompiled, cc_unit *units,
                       size_t *count) {
  const cc_texts *files = &work->options->files;
  for (size_t i = 0; i < files->count; i++) {
    const char *file = files->items[i];
    if (cc_input_is_unit(file)) {
      if (!cc_unit_open(work, precompiled, file, work->options->depend_out, &units[(*count)++]))
        return false;
    } else if (access(file, R_OK) != 0) {
      return CC_FAIL("%s: %s", file, strerror(errno));
    }
  }
  return true;
}

/*
 * Returns whether the runtime's headers are to be precompiled, beside the first steps: they are not
 * there.
 */
static bool needs_headers(const cc_unit *units, size_t count) {
  bool fits = false;
  for (size_t i = 0; i < count && !fits; i++)
    fits = units[i].precompiled->header && cc_precompiled_fits(units[i].file);
  return fits && !cc_precompiled_is_there(units[0].precompiled);
}

/* All texts, and then all compilations of both sides. */
static bool compile_units(cc_work *work, const cc_unit *units, size_t count) {
  cc_job *jobs = cc_new(2 * count + 1, sizeof *jobs);
  size_t first = 0;
  if (needs_headers(units, count))
    jobs[first++] = (cc_job){cc_precompiled_make, units[0].precompiled, units[0].file,
                             "precompiling SYCL's headers"};
  work->progress->total += first;
  for (size_t i = 0; i < count; i++)
    jobs[first + i] = (cc_job){cc_unit_make_texts, &units[i], units[i].file, "reading"};
  bool done = cc_jobs_run(work, jobs, first + count);
  for (size_t i = 0; i < count; i++) {
    const cc_unit *unit = &units[i];
    jobs[2 * i] = (cc_job){cc_unit_make_object, unit, unit->file, "compiling for the host"};
    jobs[2 * i + 1] = (cc_job){cc_unit_make_images, unit, unit->file, "compiling for devices"};
  }
  done = done && cc_jobs_run(work, jobs, 2 * count);
  free(jobs);
  return done;
}

/* The inputs of the last step. */
typedef struct link_step {
  const cc_host_compiler *compiler;
  const cc_texts *objects;
  const char *made;
} link_step;

/* Puts the objects together, in the scratch directory. */
static bool link_objects(cc_work *work, const void *data) {
  const link_step *step = data;
  const cc_options *options = work->options;
  return options->emit == CC_EMIT_PROGRAM
             ? cc_host_compiler_link(work, step->compiler, step->objects, step->made)
             : cc_host_compiler_merge(work, step->compiler, options->files.items[0], step->objects,
                                      step->made);
}

static bool make_program(cc_work *work, const cc_host_compiler *compiler, cc_texts *objects,
                         cc_depend *depend, const char *made) {
  cc_unit *units = cc_new(work->options->files.count, sizeof *units);
  size_t count = 0;
  cc_precompiled precompiled;
  cc_precompiled_open(work, compiler, &precompiled);
  bool done = open_files(work, &precompiled, units, &count);
  cc_progress progress;
  cc_progress_open(work, 3 * count + 1, &progress);
  work->progress = &progress;
  const link_step step = {.compiler = compiler, .objects = objects, .made = made};
  const cc_job last = {link_objects, &step, work->options->out, "linking"};
  done = done && compile_units(work, units, count) && add_objects(work, units, objects, depend) &&
         cc_jobs_run(work, &last, 1);
  work->progress = NULL;
  for (size_t i = 0; i < count; i++)
    cc_unit_close(&units[i]);
  cc_precompiled_close(&precompiled);
  free(units);
  return done;
}

bool cc_program_write(cc_work *work, const char *temporary, const char *depend_temporary) {
  const cc_options *options = work->options;
  const bool program = options->emit == CC_EMIT_PROGRAM;
  /* So that what compilers leave when they are ended goes with the directory. */
  setenv("TMPDIR", work->scratch, 1);
  cc_host_compiler compiler;
  cc_texts objects = {0};
  cc_depend depend = {0};
  file_bytes bytes = {0};
  char *made = cc_work_file(work, program ? "" : ".o");
  const bool done = cc_host_compiler_open(work, options->files.items[0], &compiler) &&
                    make_program(work, &compiler, &objects, &depend, made) &&
                    file_read(made, &bytes) &&
                    (!options->depend_out || cc_depend_write(&depend, options, depend_temporary)) &&
                    file_write(options->out, temporary, bytes.data, bytes.size, program);
  file_free(&bytes);
  free(made);
  for (size_t i = 0; i < objects.count; i++)
    free((char *)objects.items[i]);
  cc_texts_free(&objects);
  cc_depend_free(&depend);
  cc_host_compiler_free(&compiler);
  return done;
}
