/*
 * specpi run over fake runtimes: the search for a runtime, the overlay, and the program's
 * arguments, environment and exit status.
 */
#include "command.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUN TOOL " run --plugins " FAKE "/good "
#define RUN_WITH RUN "--sycl-rt " RUNTIME "/seven "
/* The libsycl in the only overlay of the test's home. */
#define COPY "$WORK/.cache/specpi/run/*/libsycl.so.7"

/* Returns the first line of the output. */
static const char *line_of(outcome *done) {
  done->output[strcspn(done->output, "\n")] = '\0';
  return done->output;
}

TEST(passes_on_the_exit_status) {
  static const struct {
    const char *command;
    int status;
  } lines[] = {
      {"true", 0},
      {"false", 1},
      {"sh -c 'exit 42'", 42},
      {"sh -c 'exit 255'", 255},
      {"sh -c 'kill -9 $$'", 137},
      {"-- sh -c 'exit 3'", 3},
      {"$WORK/nothing", 127},
      {"nothing-of-that-name", 127},
      {"''", 127},
      {"/etc", 126},
      {"$WORK/script", 126},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    outcome done = command_run(RUN_WITH "%s", lines[i].command);
    assert_status(done, lines[i].status);
    assert_string_equal(done.output, "");
    if (lines[i].status == 126 || lines[i].status == 127)
      assert_contains(done.errors, "specpi: ");
    command_clear(&done);
  }
}

/* Arguments after the command belong to the command, even if they look like options. */
TEST(passes_on_arguments) {
  outcome done = command_run(RUN_WITH "-- printf '<%%s>' --sycl-rt -- '' 'a b' --help");
  assert_status(done, 0);
  assert_string_equal(done.output, "<--sycl-rt><--><><a b><--help>");
  command_clear(&done);
  done = command_run(RUN_WITH "printf '<%%s>' --verbose");
  assert_status(done, 0);
  assert_string_equal(done.output, "<--verbose>");
  command_clear(&done);
}

TEST(passes_on_streams) {
  outcome done = command_run("echo hello | " RUN_WITH "-- sh -c 'cat; echo error >&2; pwd'");
  assert_status(done, 0);
  assert_contains(done.output, "hello\n/tmp/specpi-test.");
  assert_string_equal(done.errors, "error\n");
  command_clear(&done);
}

TEST(sets_the_environment) {
  outcome done = command_run(RUN_WITH "-- env; set -- " COPY "; echo COPY=$1");
  assert_status(done, 0);
  const char *copy = strstr(done.output, "COPY=");
  char expected[512];
  snprintf(expected, sizeof expected, "\nLD_PRELOAD=%s", copy ? copy + 5 : "none");
  assert_contains(done.output, expected);
  assert_contains(done.output, "\nLD_LIBRARY_PATH=" RUNTIME "/seven\n");
  /* There is no libintelocl.so in that directory. */
  assert_contains_not(done.output, "OCL_ICD_FILENAMES");
  command_clear(&done);

  /* The user's values are kept and not repeated. */
  done = command_run("export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0\n"
                     "LD_PRELOAD=libm.so.6 LD_LIBRARY_PATH=/a:/b OCL_ICD_FILENAMES=mine " RUN_WITH
                     "-- env");
  assert_status(done, 0);
  assert_contains(done.output, "/libsycl.so.7:libm.so.6\n");
  assert_contains(done.output, "\nLD_LIBRARY_PATH=/a:/b:" RUNTIME "/seven\n");
  assert_contains(done.output, "OCL_ICD_FILENAMES=mine\n");
  command_clear(&done);
  done = command_run("LD_LIBRARY_PATH=" RUNTIME "/seven:/b " RUN "-- env");
  assert_contains(done.output, "LD_LIBRARY_PATH=" RUNTIME "/seven:/b\n");
  command_clear(&done);

  /* In a nested specpi run, only the inner libsycl and the user's libraries are preloaded. */
  done = command_run("export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0\n"
                     "LD_PRELOAD='libm.so.6  libdl.so.2' " RUN "--sycl-rt " RUNTIME
                     "/both -- " RUN_WITH "-- env; set -- $(grep -l " RUNTIME
                     "/seven .cache/specpi/run/*/contents); echo "
                     "COPY=$WORK/${1%%/*}/libsycl.so.7:libm.so.6:libdl.so.2");
  assert_status(done, 0);
  copy = strstr(done.output, "COPY=");
  snprintf(expected, sizeof expected, "\nLD_PRELOAD=%s", copy ? copy + 5 : "none");
  assert_contains(done.output, expected);
  command_clear(&done);

  done = command_run("mkdir rt; cp " RUNTIME "/seven/libsycl.so.7 rt; : >rt/libintelocl.so\n" RUN
                     "--sycl-rt rt -- sh -c 'echo $OCL_ICD_FILENAMES'");
  assert_status(done, 0);
  assert_contains(done.output, "/rt/libintelocl.so\n");
  assert_int_equal(done.output[0], '/');
  command_clear(&done);
}

/* The program gets a copy of libsycl, which is not a link, in a directory with the plugins. */
TEST(makes_an_overlay) {
  outcome done =
      command_run(RUN PROGRAM "; cd $WORK/.cache/specpi/run/*; echo; ls -l; stat -c %%a .");
  assert_status(done, 0);
  assert_contains(line_of(&done), "/.cache/specpi/run/");
  const char *list = done.output + strlen(done.output) + 1;
  assert_contains(list, "libpi_opencl.so -> " FAKE "/good/libpi_opencl.so\n");
  assert_contains(list, "libpi_level_zero.so -> " FAKE "/good/libpi_level_zero.so\n");
  assert_contains(list, "libsycl-fallback-cassert.spv -> " RUNTIME
                        "/seven/libsycl-fallback-cassert.spv\n");
  assert_contains(list, "libsycl.so.7\n");
  assert_contains_not(list, "libsycl.so.7 ->");
  assert_contains_not(list, "libpi_cuda");
  assert_contains_not(list, "unrelated");
  assert_contains(list, "\n700\n");
  command_clear(&done);
}

/* With --cuda the CUDA plugin replaces the plugin of the backend that it reports. */
TEST(gives_the_cuda_plugin_a_name) {
  static const struct {
    const char *variable; /* set by the user */
    const char *reported;
    const char *file;
    const char *other; /* a plugin that is not replaced */
  } cases[] = {
      {"", "level_zero", "libpi_level_zero.so", "libpi_opencl.so"},
      {"SPECPI_CUDA_BACKEND= ", "level_zero", "libpi_level_zero.so", "libpi_opencl.so"},
      {"SPECPI_CUDA_BACKEND=level_zero ", "level_zero", "libpi_level_zero.so", "libpi_opencl.so"},
      {"SPECPI_CUDA_BACKEND=opencl ", "opencl", "libpi_opencl.so", "libpi_level_zero.so"},
      {"SPECPI_CUDA_BACKEND=cuda ", "cuda", "libpi_cuda.so", "libpi_opencl.so"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    outcome done = command_run("%s" TOOL " run --cuda --plugins " FAKE "/cuda --sycl-rt " RUNTIME
                               "/seven -- env; cd .cache/specpi/run/*; ls -l | grep -c libpi_cuda; "
                               "ls -l",
                               cases[i].variable);
    assert_status(done, 0);
    char expected[512];
    snprintf(expected, sizeof expected, "\nSPECPI_CUDA_BACKEND=%s\n", cases[i].reported);
    assert_contains(done.output, expected);
    snprintf(expected, sizeof expected, "%s -> " FAKE "/cuda/libpi_cuda.so\n", cases[i].file);
    assert_contains(done.output, expected);
    snprintf(expected, sizeof expected, "%s -> " FAKE "/cuda/%s\n", cases[i].other, cases[i].other);
    assert_contains(done.output, expected);
    /* Only one link has the plugin: libsycl would list its devices once for each link. */
    assert_contains(done.output, "\n1\n");
    command_clear(&done);
  }

  /* Both overlays are kept. */
  outcome done =
      command_run(TOOL " run --cuda --plugins " FAKE "/cuda --sycl-rt " RUNTIME
                       "/seven true && " TOOL " run --plugins " FAKE "/cuda --sycl-rt " RUNTIME
                       "/seven -- env; ls -d .cache/specpi/run/*/ | wc -l");
  assert_status(done, 0);
  assert_contains(done.output, "\n2\n");
  command_clear(&done);

  done = command_run(RUN_WITH "--cuda true");
  assert_status(done, 1);
  assert_contains(done.errors,
                  "--cuda: there is no libpi_cuda.so in the directories of the plugins");
  command_clear(&done);
  done = command_run("SPECPI_CUDA_BACKEND=hip " TOOL " run --cuda --plugins " FAKE
                     "/cuda --sycl-rt " RUNTIME "/seven true");
  assert_status(done, 1);
  assert_contains(done.errors,
                  "SPECPI_CUDA_BACKEND is \"hip\", expected is one of opencl, level_zero, cuda");
  command_clear(&done);
}

/*
 * Without --cuda the CUDA plugin reports a backend to which libsycl passes SPIR-V, or cuda if the
 * user's selector names cuda. With --cuda the selector's cuda is replaced by the reported backend.
 */
TEST(settles_what_is_reported) {
  static const struct {
    const char *given;
    const char *option;
    const char *backend;
    const char *selector; /* NULL: not set */
  } cases[] = {
      {"", "", "level_zero", NULL},
      {"SPECPI_CUDA_BACKEND= ", "", "level_zero", NULL},
      {"SPECPI_CUDA_BACKEND=opencl ", "", "opencl", NULL},
      {"ONEAPI_DEVICE_SELECTOR='*:gpu' ", "", "level_zero", "*:gpu"},
      {"ONEAPI_DEVICE_SELECTOR='opencl:*;CUDA:0' ", "", "cuda", "opencl:*;CUDA:0"},
      {"SYCL_DEVICE_FILTER=cuda ", "", "cuda", NULL},
      {"ONEAPI_DEVICE_SELECTOR='cuda:*' ", "--cuda", "level_zero", "level_zero:*"},
      {"ONEAPI_DEVICE_SELECTOR='opencl:cpu;CUDA:0,1;!cuda:1;' ", "--cuda", "level_zero",
       "opencl:cpu;level_zero:0,1;!level_zero:1;"},
      {"ONEAPI_DEVICE_SELECTOR='*:cuda:;cuda' ", "--cuda", "level_zero", "*:cuda:;cuda"},
      {"ONEAPI_DEVICE_SELECTOR= ", "--cuda", "level_zero", ""},
      {"SPECPI_CUDA_BACKEND=opencl ONEAPI_DEVICE_SELECTOR='cuda:*' ", "--cuda", "opencl",
       "opencl:*"},
      {"SPECPI_CUDA_BACKEND=cuda ONEAPI_DEVICE_SELECTOR='cuda:*' ", "--cuda", "cuda", "cuda:*"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    outcome done = command_run("unset ONEAPI_DEVICE_SELECTOR; %s" TOOL " run %s --plugins " FAKE
                               "/cuda --sycl-rt " RUNTIME
                               "/seven -- sh -c 'echo \"${SPECPI_CUDA_BACKEND-not set} "
                               "${ONEAPI_DEVICE_SELECTOR-not set}\"'",
                               cases[i].given, cases[i].option);
    assert_status(done, 0);
    char expected[256];
    snprintf(expected, sizeof expected, "%s %s\n", cases[i].backend,
             cases[i].selector ? cases[i].selector : "not set");
    assert_string_equal(done.output, expected);
    /* A message says that devices of the backend cuda take only PTX. */
    const bool is_said = !*cases[i].option && strcmp(cases[i].backend, "cuda") == 0;
    assert_true((strstr(done.errors, "with --cuda they take SPIR-V") != NULL) == is_said);
    command_clear(&done);
  }
  /* Without a CUDA plugin the variable is not set. */
  outcome done = command_run(RUN_WITH "-- sh -c 'echo ${SPECPI_CUDA_BACKEND-not set}'");
  assert_status(done, 0);
  assert_string_equal(done.output, "not set\n");
  command_clear(&done);
}

/* Without a CUDA device a message says why, and the program runs with other devices. */
TEST(says_that_there_is_no_cuda) {
  static const struct {
    const char *plugin;
    const char *says;
  } rows[] = {
      {FAKE "/no-platform", "the CUDA plugin has no device: Fake driver is not installed\n"},
      {FAKE "/no-device", "the CUDA plugin has no device: its 1 platform has no device\n"},
      {FAKE "/newer", "the CUDA plugin has no device: it speaks PI version"},
      {FAKE "/crashes", "the CUDA plugin ends a process with signal 6 (Aborted)\n"},
      {FAKE "/good", NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (int named = 0; named <= 1; named++) {
      outcome done = command_run("mkdir p; ln -s %s/libpi_opencl.so p/libpi_cuda.so; %s" TOOL
                                 " run --cuda %s --sycl-rt " RUNTIME "/seven -- printf here",
                                 rows[i].plugin, named ? "" : "SPECPI_PLUGIN_PATH=$WORK/p ",
                                 named ? "--plugins p" : "");
      assert_status(done, 0);
      assert_string_equal(done.output, "here");
      if (rows[i].says) {
        assert_contains(done.errors, "specpi: --cuda: ");
        assert_contains(done.errors, rows[i].says);
      } else {
        assert_string_equal(done.errors, "");
      }
      command_clear(&done);
    }
}

/* No libsycl is preloaded into a program that uses libspecpi, because it would register its
 * kernels. */
TEST(starts_programs_of_libspecpi) {
  static const char says[] = " is linked to libspecpi and to no libsycl, so none is preloaded";
  outcome done = command_run(TOOL " run -v " TOOL " ls --help");
  assert_status(done, 0);
  assert_contains(done.output, "Usage: specpi ls");
  assert_contains(done.errors, says);
  assert_contains(done.errors, "start it directly\n");
  assert_contains_not(done.errors, "LD_PRELOAD");
  command_clear(&done);

  /* The directory of --sycl-rt is in LD_LIBRARY_PATH for its drivers; its libsycl is not preloaded.
   */
  done = command_run(RUN_WITH "-v " TOOL " ls --help");
  assert_status(done, 0);
  assert_contains(done.errors, says);
  assert_contains(done.errors, "LD_LIBRARY_PATH=" RUNTIME "/seven\n");
  assert_contains_not(done.errors, "LD_PRELOAD");
  command_clear(&done);
  done = command_run(TOOL " run --sycl-rt /nowhere " TOOL " ls --help");
  assert_status(done, 1);
  assert_string_equal(done.output, "");
  command_clear(&done);

  /* AddressSanitizer would complain that another library is loaded before it. */
  done =
      command_run("export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0\n" RUN BOTH_PROGRAM);
  assert_status(done, 1);
  assert_string_equal(done.errors, "");
  assert_contains(done.output, "/.cache/specpi/run/");
  command_clear(&done);
}

TEST(leaves_the_installation_alone) {
  outcome done = command_run("list() { ls -lR --time-style=full-iso " RUNTIME " " FAKE "; }\n"
                             "list >before; " RUN PROGRAM " one; list >after; cmp before after");
  assert_status(done, 0);
  command_clear(&done);
}

TEST(keeps_the_overlay) {
  outcome done =
      command_run(RUN PROGRAM "; ls -id $WORK/.cache/specpi/run/* >first\n" RUN PROGRAM
                              "; ls -id $WORK/.cache/specpi/run/* >second; cmp first second");
  assert_status(done, 0);
  command_clear(&done);

  /* A damaged overlay is made again. */
  done = command_run(RUN_WITH "true; chmod u+w " COPY "; echo x >" COPY "; " RUN_WITH
                              "true; cmp " COPY " " RUNTIME "/seven/libsycl.so.7");
  assert_status(done, 0);
  command_clear(&done);
  done = command_run(RUN_WITH "true; rm $WORK/.cache/specpi/run/*/contents; " RUN_WITH
                              "true; ls $WORK/.cache/specpi/run | wc -l; cmp " COPY " " RUNTIME
                              "/seven/libsycl.so.7");
  assert_status(done, 0);
  assert_string_equal(line_of(&done), "1");
  command_clear(&done);

  /* A changed runtime and other plugins get a new overlay. */
  done = command_run("mkdir rt; cp " RUNTIME "/seven/libsycl.so.7 rt; " RUN
                     "--sycl-rt rt true; touch -d 2001-01-01 rt/libsycl.so.7; " RUN
                     "--sycl-rt rt true; mkdir p; cp " FAKE "/good/libpi_opencl.so p; " TOOL
                     " run --plugins p --sycl-rt rt true; ls $WORK/.cache/specpi/run | wc -l");
  assert_status(done, 0);
  assert_string_equal(line_of(&done), "3");
  command_clear(&done);
}

TEST(many_runs_share_one_overlay) {
  outcome done = command_run(
      "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do " RUN PROGRAM " $i >out.$i 2>&1 & done; wait\n"
      "cat out.* | grep -c /libsycl.so.7; ls $WORK/.cache/specpi/run | wc -l");
  assert_status(done, 0);
  assert_string_equal(done.output, "12\n1\n");
  command_clear(&done);
}

TEST(finds_the_runtime) {
  static const struct {
    const char *line;
    const char *runtime; /* below RUNTIME, or below WORK if it begins with a slash */
  } places[] = {
      /* The program's own libsycl comes before those in other places. */
      {RUN "-v " PROGRAM, "seven/libsycl.so.7"},
      {"LD_LIBRARY_PATH=" RUNTIME "/preview " RUN "-v " PROGRAM, "seven/libsycl.so.7"},
      /* For a script, the libsycl of its interpreter. */
      {"echo '#!" PROGRAM "' >s; chmod +x s; " RUN "-v ./s", "seven/libsycl.so.7"},
      {"ln -s " PROGRAM
       " prog; echo '#!/usr/bin/env -S A=b prog' >s; chmod +x s; PATH=$WORK:$PATH " RUN "-v s",
       "seven/libsycl.so.7"},
      /* Directories of LD_LIBRARY_PATH. */
      {"LD_LIBRARY_PATH=/nowhere:" RUNTIME "/seven " RUN "-v true", "seven/libsycl.so.7"},
      /* A libsycl that uses neither PI nor Unified Runtime is skipped; the preview comes last. */
      {"LD_LIBRARY_PATH=" RUNTIME "/neither:" RUNTIME "/seven " RUN "-v true",
       "seven/libsycl.so.7"},
      {"LD_LIBRARY_PATH=" RUNTIME "/both " RUN "-v true", "both/libsycl.so.7"},
      {RUN "-v --sycl-rt " RUNTIME "/both true", "both/libsycl.so.7"},
      /* In a named directory, the libsycl with the name that the program is linked to. */
      {RUN "-v --sycl-rt " RUNTIME "/both " PREVIEW_PROGRAM, "both/libsycl-preview.so.7"},
      {"echo '#!" PREVIEW_PROGRAM "' >s; chmod +x s; " RUN "-v --sycl-rt " RUNTIME "/both ./s",
       "both/libsycl-preview.so.7"},
      {"LD_LIBRARY_PATH=" RUNTIME "/preview " RUN "-v true", "preview/libsycl-preview.so.7"},
      /* Next to the program, and in ../lib; in a virtual environment the program is a link. */
      {"mkdir -p e/bin; cp " RUNTIME "/seven/libsycl.so.7 e/bin; ln -s /bin/true e/bin/p; " RUN
       "-v e/bin/p",
       "/e/bin/libsycl.so.7"},
      {"mkdir -p e/bin e/lib; cp " RUNTIME
       "/seven/libsycl.so.7 e/lib; ln -s /bin/true e/bin/p; " RUN "-v e/bin/p",
       "/e/lib/libsycl.so.7"},
      {"mkdir -p e/bin e/lib; cp " RUNTIME "/seven/libsycl.so.7 e/lib; ln -s /bin/true "
       "e/bin/p; echo \"#!$WORK/e/bin/p\" >s; chmod +x s; " RUN "-v ./s",
       "/e/lib/libsycl.so.7"},
      {"mkdir -p e/lib; cp " RUNTIME "/seven/libsycl.so.7 e/lib; VIRTUAL_ENV=$WORK/e " RUN
       "-v true",
       "/e/lib/libsycl.so.7"},
      {"mkdir -p e/lib; cp " RUNTIME "/seven/libsycl.so.7 e/lib; CONDA_PREFIX=$WORK/e " RUN
       "-v true",
       "/e/lib/libsycl.so.7"},
  };
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    outcome done = command_run("%s; echo $WORK", places[i].line);
    /* echo printed the last line. */
    const char *directory = done.output;
    for (const char *next; (next = strstr(directory + 1, "/tmp/specpi-test."));)
      directory = next;
    char expected[1024];
    if (places[i].runtime[0] == '/')
      snprintf(expected, sizeof expected, "specpi: SYCL runtime %.*s%s\n",
               (int)strcspn(directory, "\n"), directory, places[i].runtime);
    else
      snprintf(expected, sizeof expected, "specpi: SYCL runtime %s/%s\n", RUNTIME,
               places[i].runtime);
    if (!strstr(done.errors, expected))
      fail_msg("%s\ndoes not find %s but says\n%s", places[i].line, places[i].runtime, done.errors);
    command_clear(&done);
  }
}

TEST(says_what_was_searched) {
  static const struct {
    const char *line;
    const char *says;
  } lines[] = {
      {RUN "true", "true: is not linked to a libsycl\n"},
      {"LD_LIBRARY_PATH=$WORK " RUN "true", ": there is no libsycl.so.*\n"},
      {RUN "true", "Name the directory of one with --sycl-rt."},
      {RUN "--sycl-rt $WORK true", ": there is no libsycl.so.*\n"},
      {RUN "--sycl-rt /nowhere true", "/nowhere: no such directory\n"},
      {RUN "--sycl-rt " RUNTIME "/neither true",
       RUNTIME "/neither/libsycl.so.6: has neither piPluginInit nor urLoaderTearDown in it"},
      {RUN "--sycl-rt " RUNTIME "/older true",
       RUNTIME "/older/libsycl.so.7: speaks another version of PI than 15.47"},
      {"echo text >libsycl.so.7; " RUN "--sycl-rt . true", "/libsycl.so.7: is not a library\n"},
      {": >libsycl.so.7; " RUN "--sycl-rt . true", "/libsycl.so.7: cannot be read\n"},
      {"mkdir libsycl.so.7; " RUN "--sycl-rt . true", "/libsycl.so.7: cannot be read\n"},
      {"mkdir a:b; cp " RUNTIME "/seven/libsycl.so.7 a:b; " RUN "--sycl-rt a:b true",
       "/a:b: LD_LIBRARY_PATH cannot have a directory with a colon"},
      {"ln -s " RUNTIME "/seven rt; " RUN "--sycl-rt rt " PREVIEW_PROGRAM,
       "/seven: there is no libsycl-preview.so.7"},
      {TOOL " run --plugins /nowhere --sycl-rt " RUNTIME "/seven true",
       "--plugins /nowhere: No such file or directory"},
      {TOOL " run --plugins . --sycl-rt " RUNTIME "/seven true",
       "--plugins .: none of the plugins lies there, e.g. libpi_opencl.so"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    outcome done = command_run("%s", lines[i].line);
    assert_status(done, 1);
    assert_contains(done.errors, lines[i].says);
    command_clear(&done);
  }
}

/* The copy is stored where no other user can change it. */
TEST(chooses_a_safe_directory) {
  static const struct {
    const char *line;
    const char *directory;
  } lines[] = {
      {"XDG_CACHE_HOME=$WORK/x " RUN_WITH "-v true", "/x/specpi/run/"},
      {"mkdir -p -m 777 x/specpi/run; chmod 777 x/specpi/run; XDG_CACHE_HOME=$WORK/x " RUN_WITH
       "-v true",
       "/.cache/specpi/run/"},
      {"XDG_CACHE_HOME=x " RUN_WITH "-v true", "/.cache/specpi/run/"},
      {"mkdir 'a b'; XDG_CACHE_HOME=\"$WORK/a b\" " RUN_WITH "-v true", "/.cache/specpi/run/"},
      {"mkdir a:b; XDG_CACHE_HOME=$WORK/a:b " RUN_WITH "-v true", "/.cache/specpi/run/"},
      {"mkdir t x; mkdir -p x/specpi; ln -s $WORK/t x/specpi/run; XDG_CACHE_HOME=$WORK/x " RUN_WITH
       "-v true",
       "/.cache/specpi/run/"},
      {": >.cache; " RUN_WITH "-v true", "/specpi-"},
      {"unset HOME; " RUN_WITH "-v true", "/specpi-"},
      {"mkdir 'x$LIB'; XDG_CACHE_HOME=\"$WORK/x\\$LIB\" " RUN_WITH "-v true",
       "/.cache/specpi/run/"},
      /* Whoever may write to a directory above can replace the directory, except under a sticky
       * bit. */
      {"mkdir -m 777 x; XDG_CACHE_HOME=$WORK/x " RUN_WITH "-v true", "/.cache/specpi/run/"},
      {"mkdir -p x/specpi/run; chmod 777 x/specpi; chmod 700 x/specpi/run; "
       "XDG_CACHE_HOME=$WORK/x " RUN_WITH "-v true",
       "/.cache/specpi/run/"},
      {"mkdir -m 777 x; mkdir x/y; ln -s x/y z; XDG_CACHE_HOME=$WORK/z " RUN_WITH "-v true",
       "/.cache/specpi/run/"},
      {"mkdir -m 1777 x; XDG_CACHE_HOME=$WORK/x " RUN_WITH "-v true", "/x/specpi/run/"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    outcome done = command_run("%s", lines[i].line);
    assert_status(done, 0);
    const char *preload = strstr(done.errors, "LD_PRELOAD=");
    assert_non_null(preload);
    if (!strstr(preload, lines[i].directory))
      fail_msg("%s\ndoes not use %s but\n%s", lines[i].line, lines[i].directory, preload);
    command_clear(&done);
  }
}

/*
 * The owner of a directory above can replace the directory, with another libsycl in it, so that
 * another user's directories in the path are avoided, also after a link. The test needs root.
 */
TEST(avoids_others_directories) {
  if (geteuid() != 0)
    skip();
  static const struct {
    const char *line;
    const char *directory;
  } rows[] = {
      {"mkdir -m 1777 x; mkdir -p x/specpi/run; chown 1234 x/specpi; XDG_CACHE_HOME=$WORK/x ",
       "/.cache/specpi/run/"},
      {"mkdir -m 755 x; chown 1234 x; XDG_CACHE_HOME=$WORK/x ", "/.cache/specpi/run/"},
      {"mkdir -p x/y; chown 1234 x; XDG_CACHE_HOME=$WORK/x/y ", "/.cache/specpi/run/"},
      {"mkdir -m 755 h; chown 1234 h; HOME=$WORK/h ", "/specpi-0/"},
      {"mkdir x y; ln -s ../y x/l; chown 1234 x; XDG_CACHE_HOME=$WORK/x/l ", "/.cache/specpi/run/"},
      {"mkdir y; ln -s y l; chown -h 1234 l; XDG_CACHE_HOME=$WORK/l ", "/.cache/specpi/run/"},
      {"mkdir -m 775 x; chgrp 1234 x; XDG_CACHE_HOME=$WORK/x ", "/.cache/specpi/run/"},
      {"mkdir -m 775 x; XDG_CACHE_HOME=$WORK/x ", "/x/specpi/run/"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    outcome done = command_run("%s" RUN_WITH "-v true", rows[i].line);
    assert_status(done, 0);
    const char *preload = strstr(done.errors, "LD_PRELOAD=");
    assert_non_null(preload);
    if (!strstr(preload, rows[i].directory))
      fail_msg("%s\ndoes not use %s but\n%s", rows[i].line, rows[i].directory, preload);
    command_clear(&done);
  }
}

/* If preloading cannot work, a message says so, and the program runs. */
TEST(says_where_it_cannot_work) {
  outcome done = command_run(RUN_WITH STATIC);
  assert_status(done, 5);
  assert_contains(done.errors, "specpi: " STATIC " is linked statically, so that nothing can be "
                               "preloaded into it");
  command_clear(&done);
  /* For a script, its interpreter counts. */
  done = command_run("printf '#!%%s\\n' " STATIC " >script; chmod +x script; " RUN_WITH "./script");
  assert_status(done, 5);
  assert_contains(done.errors, "script is linked statically, so that");
  command_clear(&done);
  done = command_run(RUN_WITH "true");
  assert_status(done, 0);
  assert_string_equal(done.errors, "");
  command_clear(&done);
}

/* Needs root, to change a file's owner. For root, its own setuid programs are like others. */
TEST(says_who_has_more_rights) {
  if (geteuid() != 0)
    skip();
  static const struct {
    const char *commands;
    const char *reason;
  } rows[] = {
      {"chown 65534 t; chmod 4755 t", "t runs with another user's rights (setuid), so that"},
      {"chgrp 65534 t; chmod 2755 t", "t runs with another group's rights (setgid), so that"},
      {"chmod 6755 t", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    outcome done =
        command_run("cp /bin/true t; chmod 711 .; %s; " RUN_WITH "./t", rows[i].commands);
    assert_status(done, 0);
    if (rows[i].reason)
      assert_contains(done.errors, rows[i].reason);
    else
      assert_string_equal(done.errors, "");
    command_clear(&done);
  }
}
