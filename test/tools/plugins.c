/*
 * Reports of specpi ls and specpi doctor on unusable plugins. Each is named with its reason, and a
 * good plugin in the next directory works.
 */
#include "command.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *directory; /* below FAKE; NULL: `make` makes the directory "bad" */
  const char *make;
  const char *state;
  const char *reason;
  const char *advice;
} cases[] = {
    {"no-symbol", "", "refused", "no piPluginInit in it", "Replace the file"},
    {"init-fails", "", "refused",
     "its piPluginInit answers PI version 15.47 with PI_ERROR_INVALID_OPERATION (-59)",
     "Replace the file"},
    {"unfilled", "", "refused", "filled in no function", "was built with this libspecpi"},
    {"newer", "", "refused", "it speaks PI version \"15.48.1\" and libspecpi 15.47",
     "Use the libpi_opencl.so that was built with this libspecpi"},
    {"alike", "", "refused", "it speaks PI version \"15.470\"", "was built with this libspecpi"},
    {"nameless", "", "refused", "it speaks PI version \"\"", "Replace the file"},
    {"overrun", "", "refused", "wrote past the end of that version's table",
     "was built with this libspecpi"},
    {"needs-missing", "", "refused", "symbol_that_is_nowhere", "Replace the file"},
    {NULL, "mkdir -p bad/libpi_opencl.so", "refused", "it is a directory, not a file",
     "Replace the file"},
    {NULL, "mkdir bad; : >bad/libpi_opencl.so", "refused", "too short", "Replace the file"},
    {NULL,
     "mkdir bad; echo 'This is a text and no library at all, though long enough for one.' "
     ">bad/libpi_opencl.so",
     "refused", "invalid ELF header", "Replace the file"},
    {NULL, "mkdir bad; mkfifo bad/libpi_opencl.so", "refused", "a device, pipe or socket",
     "Replace the file"},
    {NULL, "mkdir bad; ln -s nowhere bad/libpi_opencl.so", "absent", "there is no such file", ""},
    {NULL, "mkdir bad; ln -s libpi_opencl.so bad/libpi_opencl.so", "refused",
     "Too many levels of symbolic links", "Replace the file"},
    {NULL, "mkdir bad; head -c 2000 " FAKE "/good/libpi_opencl.so >bad/libpi_opencl.so", "refused",
     "the file is incomplete", "Replace the file"},
    /* Byte 18 is the machine: 183 is AArch64. Byte 4 is the class: 1 is 32 bits. */
    {NULL,
     "mkdir bad; cp " FAKE "/good/libpi_opencl.so bad; printf '\\267' | dd "
     "of=bad/libpi_opencl.so bs=1 seek=18 conv=notrunc 2>/dev/null",
     "refused", "cannot open shared object file", "Replace the file"},
    {NULL,
     "mkdir bad; cp " FAKE "/good/libpi_opencl.so bad; printf '\\001' | dd "
     "of=bad/libpi_opencl.so bs=1 seek=4 conv=notrunc 2>/dev/null",
     "refused", "wrong ELF class", "Replace the file"},
    {NULL, ":", "absent", "there is no such file", ""},
};

static const char *path_of(size_t i) {
  return cases[i].directory ? FAKE "/" : "$WORK/bad";
}

static const char *member(json_t *object, const char *name) {
  const char *text = json_string_value(json_object_get(object, name));
  assert_non_null(text);
  return text;
}

/* Checks the first two entries for the backend opencl: the bad file, and the good one. */
static void check_list(const outcome *ls, const char *state, const char *reason) {
  json_error_t error;
  json_t *root = json_loads(ls->output, 0, &error);
  if (!root)
    fail_msg("not JSON: %s\n%s", error.text, ls->output);
  json_t *plugins = json_object_get(root, "plugins");
  json_t *bad = json_array_get(plugins, 0);
  assert_string_equal(member(bad, "backend"), "opencl");
  assert_string_equal(member(bad, "state"), state);
  assert_contains(member(bad, "reason"), reason);
  json_t *good = json_array_get(plugins, 1);
  assert_string_equal(member(good, "backend"), "opencl");
  assert_string_equal(member(good, "state"), "ready");
  assert_string_equal(member(good, "reason"), "");
  assert_int_equal(json_array_size(json_object_get(good, "platforms")), 2);
  /* Four devices each of opencl and of level_zero. */
  assert_int_equal(json_array_size(json_object_get(root, "devices")), 8);
  json_decref(root);
}

TEST(bad_plugins_are_listed_with_a_reason) {
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *directory = cases[i].directory ? cases[i].directory : "";
    outcome ls = command_run("%s\nSPECPI_PLUGIN_PATH=\"%s%s:%s/good\" %s ls --json", cases[i].make,
                             path_of(i), directory, FAKE, TOOL);
    assert_status(ls, 0);
    check_list(&ls, cases[i].state, cases[i].reason);
    command_clear(&ls);
  }
}

TEST(bad_plugins_are_explained_by_the_doctor) {
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *directory = cases[i].directory ? cases[i].directory : "";
    outcome doctor = command_run("%s\nSPECPI_PLUGIN_PATH=\"%s%s\" ONEAPI_DEVICE_SELECTOR=cuda:* "
                                 "%s doctor",
                                 cases[i].make, path_of(i), directory, TOOL);
    assert_contains(doctor.output, cases[i].reason);
    assert_contains(doctor.output, cases[i].advice);
    assert_contains(doctor.output, "chooses no device at all");
    command_clear(&doctor);
  }
}

/* The fake OpenCL's second platform has version 1.2, whose devices take no SPIR-V. */
TEST(a_device_without_spirv_is_of_no_use) {
  static const char none[] = "takes no SPIR-V, so that nothing that specpi-cc makes runs on it\n";
  outcome done =
      command_run("LD_LIBRARY_PATH=" FAKE_OPENCL " FAKE_OPENCL_PLATFORMS=2 " TOOL " doctor");
  assert_status(done, 0);
  const char *second = strstr(done.output, "[opencl:cpu][opencl:1] ");
  assert_non_null(second);
  assert_contains(second, none);
  assert_contains(done.output, "FAKE [1.0]: works\n");
  assert_contains(done.output, "1 device works.\n");
  command_clear(&done);
  done = command_run("LD_LIBRARY_PATH=" FAKE_OPENCL " FAKE_OPENCL_PLATFORMS=2 " TOOL " ls -v");
  assert_contains(done.output, "Constants  : native in SPIR-V\n");
  assert_contains(done.output, "Constants  : none; the device takes no SPIR-V, so that ");
  command_clear(&done);
}

/* specpi doctor looks for clang and llvm-spirv; here clang may be too new, and llvm-spirv is
 * missing.
 */
TEST(looks_for_compilers) {
  static const char fakes[] =
      "mkdir bin; printf '#!/bin/sh\\necho clang version %s.0.6\\n' >bin/clang-15; "
      "chmod +x bin/clang-15; PATH=$PWD/bin %s doctor";
  outcome doctor = command_run(fakes, "16", TOOL);
  assert_contains(doctor.output, "/bin/clang-15 is not to be used: it does not say that it is "
                                 "version 15.\n  llvm-spirv: no llvm-spirv-15 in PATH\n");
  assert_contains(doctor.output, "else install clang 15 and the llvm-spirv of LLVM 15");
  command_clear(&doctor);
  for (size_t i = 0; i < 2; i++) {
    doctor = command_run(fakes, i ? "15" : "14", TOOL);
    assert_contains(doctor.output, "/bin/clang-15\n  llvm-spirv: no");
    command_clear(&doctor);
  }
  doctor =
      command_run("mkdir bin; printf '#!/bin/sh\\necho clang version 14.0.6\\n' >bin/clang-14; "
                  "chmod +x bin/clang-14; PATH=$PWD/bin " TOOL " doctor");
  assert_contains(doctor.output, "/bin/clang-14\n  llvm-spirv: no");
  command_clear(&doctor);
}

/* If a plugin has no device, specpi doctor prints the plugin's own message. */
TEST(idle_plugins_are_explained) {
  static const struct {
    const char *directory;
    const char *reason;
  } idle[] = {
      {"no-platform", "idle, PI version 15.47.1: Fake driver is not installed"},
      {"platforms-fail",
       "idle, PI version 15.47.1: piPlatformsGet failed with PI_ERROR_OUT_OF_RESOURCES (-5): Fake "
       "driver is not installed"},
      {"no-device", "idle, PI version 15.47.1: its 1 platform has no device"},
  };
  for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++) {
    outcome doctor =
        command_run("SPECPI_PLUGIN_PATH=%s/%s %s doctor", FAKE, idle[i].directory, TOOL);
    assert_status(doctor, 1);
    assert_contains(doctor.output, idle[i].reason);
    assert_contains(doctor.output, "What to do: Install an OpenCL driver");
    assert_contains(doctor.output, "No device works.");
    command_clear(&doctor);
    outcome ls = command_run("SPECPI_PLUGIN_PATH=%s/%s %s ls", FAKE, idle[i].directory, TOOL);
    assert_status(ls, 1);
    assert_string_equal(ls.output, "");
    assert_contains(ls.errors, "No device was found");
    command_clear(&ls);
    ls = command_run("SPECPI_PLUGIN_PATH=%s/%s %s ls --json", FAKE, idle[i].directory, TOOL);
    assert_status(ls, 1);
    assert_contains(ls.output, "\"devices\": []");
    command_clear(&ls);
  }
}

/*
 * OpenCL loaders skip a driver that they cannot use without a message, so specpi doctor tries each
 * named driver itself. Here the plugin runs on a fake loader without platforms.
 */
TEST(unusable_opencl_drivers_are_named) {
  static const struct {
    const char *make; /* commands that fill `vendors`, which OCL_ICD_VENDORS names */
    const char *finding;
  } named[] = {
      {"echo $PWD/absent.so >vendors/a.icd", "absent.so (vendors/a.icd) cannot be loaded: "},
      {"echo " FAKE "/good/libpi_opencl.so >vendors/a.icd",
       "/good/libpi_opencl.so (vendors/a.icd) is no OpenCL driver: it has no "
       "clGetExtensionFunctionAddress"},
      {": >vendors/a.icd", "OpenCL driver: vendors/a.icd names no library"},
      {"touch vendors/driver.so", "none is named, there is no .icd file in vendors"},
      {"rmdir vendors", "none is named, there is no .icd file in vendors"},
  };
  for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
    outcome doctor = command_run("mkdir vendors; %s\n"
                                 "LD_LIBRARY_PATH=%s/without_platforms OCL_ICD_VENDORS=vendors "
                                 "OCL_ICD_FILENAMES=$PWD/other.so %s doctor",
                                 named[i].make, FAKE_OPENCL, TOOL);
    assert_status(doctor, 1);
    assert_contains(doctor.output, "libOpenCL.so.1 knows no OpenCL driver");
    assert_contains(doctor.output,
                    "OpenCL loader: " FAKE_OPENCL "/without_platforms/libOpenCL.so.1\n");
    assert_contains(doctor.output, "OpenCL driver: this loader does not read OCL_ICD_FILENAMES\n");
    assert_contains(doctor.output, named[i].finding);
    command_clear(&doctor);
  }
}

/* A GPU driver is installed, but there is no GPU: the advice is not to install an OpenCL driver. */
TEST(a_driver_without_gpu_is_named) {
  outcome doctor = command_run(
      "mkdir vendors; cp " DRIVER " libigdrcl.so; echo \"$WORK/libigdrcl.so\" >vendors/a.icd\n"
      "LD_LIBRARY_PATH=" FAKE_OPENCL "/without_platforms OCL_ICD_VENDORS=vendors " TOOL " doctor");
  assert_status(doctor, 1);
  assert_contains(doctor.output, "libigdrcl.so (vendors/a.icd) can be loaded\n");
  assert_contains(doctor.output, "What to do: libigdrcl.so is for Intel's GPUs, and found none");
  assert_contains(doctor.output, "the Python packages intel-opencl-rt and intel-cmplr-lib-rt), ");
  assert_contains_not(doctor.output, "What to do: Install an OpenCL driver");
  command_clear(&doctor);
}

/* Intel's driver for CPUs finds no device, without a message, if the real path of its directory
 * contains a blank or a semicolon. */
TEST(a_misplaced_driver_is_named) {
  static const struct {
    const char *make;
    const char *driver;
    bool is_misplaced;
  } rows[] = {
      {"mkdir 'a b'; cp " DRIVER " 'a b/libintelocl.so'", "a b/libintelocl.so", true},
      {"mkdir 'a;b' 'a;b/c'; cp " DRIVER " 'a;b/c/libintelocl.so.2024'",
       "a;b/c/libintelocl.so.2024", true},
      {"mkdir 'a b'; cp " DRIVER " 'a b/libintelocl.so'; ln -s 'a b' l", "l/libintelocl.so", true},
      {"mkdir 'a b' c; cp " DRIVER " c/libintelocl.so; ln -s ../c 'a b/l'", "a b/l/libintelocl.so",
       false},
      {"mkdir 'a b'; cp " DRIVER " 'a b/libother.so'", "a b/libother.so", false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    outcome doctor = command_run("mkdir vendors; %s; echo \"$WORK/%s\" >vendors/a.icd\n"
                                 "LD_LIBRARY_PATH=" FAKE_OPENCL
                                 "/without_platforms OCL_ICD_VENDORS=vendors " TOOL " doctor",
                                 rows[i].make, rows[i].driver);
    assert_status(doctor, 1);
    if (rows[i].is_misplaced) {
      assert_contains(doctor.output, "(vendors/a.icd) finds no device, because of a blank or a "
                                     "semicolon in the path of its directory");
      assert_contains(doctor.output, "What to do: Install it into another directory");
      assert_contains_not(doctor.output, "What to do: Install an OpenCL driver");
    } else {
      assert_contains(doctor.output, "(vendors/a.icd) can be loaded\n");
      assert_contains(doctor.output, "What to do: Install an OpenCL driver");
    }
    command_clear(&doctor);
  }
}

/* specpi doctor tries each device. The fake plugin's devices do not work. */
TEST(devices_that_do_not_work_are_reported) {
  outcome doctor = command_run("SPECPI_PLUGIN_PATH=%s/good %s doctor", FAKE, TOOL);
  assert_status(doctor, 1);
  assert_contains(doctor.output, "Platform \"Fake platform 1\" of Nobody, 1.1, has 2 devices:");
  assert_contains(
      doctor.output,
      "[opencl:fpga][opencl:2] Fake platform 1, Fake accelerator 2 Fake "
      "1.0 []: does not work: piContextCreate fails with PI_ERROR_UNSUPPORTED_FEATURE (-995)");
  assert_contains(doctor.output, "It lacks functions, whose calls fail: piextPlatformGet");
  command_clear(&doctor);
}

TEST(a_crash_is_reported) {
  outcome doctor = command_run("SPECPI_PLUGIN_PATH=%s/crashes %s doctor", FAKE, TOOL);
  assert_status(doctor, 1);
  assert_contains(doctor.output, "\nopencl\n");
  assert_contains(doctor.output, "The step above ended the process with signal 6 (Aborted).");
  command_clear(&doctor);
  doctor = command_run("SPECPI_PLUGIN_PATH=%s/exits %s doctor", FAKE, TOOL);
  assert_status(doctor, 1);
  assert_contains(doctor.output, "The step above ended the process with exit status 0.");
  command_clear(&doctor);
  /* The findings are printed even if the process crashes at its end. */
  doctor = command_run("SPECPI_PLUGIN_PATH=%s/crashes-late %s doctor", FAKE, TOOL);
  assert_status(doctor, 1);
  assert_contains(doctor.output, "\nNo device works.\n\nThe step above ended the process");
  command_clear(&doctor);
}

/* If one platform fails, the devices of the other are listed. */
TEST(a_failing_platform_hides_no_other) {
  outcome ls = command_run("SPECPI_PLUGIN_PATH=%s/second-fails %s ls --json", FAKE, TOOL);
  assert_status(ls, 0);
  json_t *root = json_loads(ls.output, 0, NULL);
  assert_int_equal(json_array_size(json_object_get(root, "devices")), 2);
  json_t *plugin = json_array_get(json_object_get(root, "plugins"), 0);
  assert_string_equal(member(plugin, "state"), "ready");
  assert_string_equal(member(plugin, "reason"), "");
  json_decref(root);
  command_clear(&ls);
}

/* If the output cannot be written, the exit status is 1. */
TEST(output_that_cannot_be_written_is_an_error) {
  static const char *const commands[] = {"ls", "ls --json", "--help", "--version", "run --help"};
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    outcome done =
        command_run("SPECPI_PLUGIN_PATH=%s/good %s %s >/dev/full", FAKE, TOOL, commands[i]);
    assert_status(done, 1);
    assert_contains(done.errors, "specpi: the output could not be written");
    command_clear(&done);
  }
}

/* Relative paths in SPECPI_PLUGIN_PATH are refused, and the working directory is not searched. */
TEST(the_working_directory_is_not_searched) {
  outcome ls = command_run("cp %s/good/* .; mkdir sub; cp %s/good/* sub\n"
                           "SPECPI_PLUGIN_PATH=.:sub::.. LD_LIBRARY_PATH=. %s ls --json",
                           FAKE, FAKE, TOOL);
  assert_status(ls, 1);
  assert_contains(ls.output, "\"devices\": []");
  assert_contains(ls.output, "\"path\": \"./libpi_opencl.so\"");
  assert_contains(ls.output, "\"path\": \"sub/libpi_opencl.so\"");
  assert_contains(ls.output, "\"path\": \"../libpi_opencl.so\"");
  assert_contains(ls.output, "entries of SPECPI_PLUGIN_PATH must be absolute");
  command_clear(&ls);
  outcome doctor = command_run("SPECPI_PLUGIN_PATH=sub %s doctor", TOOL);
  assert_contains(doctor.output, "What to do: Write the whole path");
  command_clear(&doctor);
}

TEST(the_list_is_printed_in_words) {
  outcome ls = command_run("SPECPI_PLUGIN_PATH=%s/good ONEAPI_DEVICE_SELECTOR='opencl:*,0.1' %s ls",
                           FAKE, TOOL);
  assert_status(ls, 0);
  assert_string_equal(ls.output,
                      "[opencl:gpu][opencl:0] Fake platform 0, Fake GPU 0 Fake 1.0 [] (default)\n"
                      "[opencl:gpu][opencl:0.1] Fake platform 0, Fake GPU 0.1 Fake 1.0 []\n"
                      "[opencl:cpu][opencl:1] Fake platform 0, Fake CPU 1 Fake 1.0 []\n"
                      "[opencl:fpga][opencl:2] Fake platform 1, Fake accelerator 2 Fake 1.0 []\n"
                      "[opencl:gpu][opencl:3] Fake platform 1, Fake GPU 3 Fake 1.0 []\n");
  assert_contains(ls.errors, "which is set to opencl:*,0.1.");
  command_clear(&ls);
  ls = command_run("SPECPI_PLUGIN_PATH=%s/good %s ls --verbose", FAKE, TOOL);
  assert_status(ls, 0);
  assert_string_equal(ls.errors, "");
  assert_contains(ls.output, "\nPlatforms: 4\nPlatform [#1]:\n    Version  : 0.1\n"
                             "    Name     : Fake platform 0\n    Vendor   : Nobody\n"
                             "    Devices  : 2\n        Device [opencl:0]:\n"
                             "        Type       : gpu\n");
  command_clear(&ls);
  ls = command_run("SPECPI_PLUGIN_PATH=%s/good ONEAPI_DEVICE_SELECTOR=level_zero:0.0 %s ls --json",
                   FAKE, TOOL);
  assert_status(ls, 0);
  json_t *root = json_loads(ls.output, 0, NULL);
  json_t *devices = json_object_get(root, "devices");
  assert_int_equal(json_array_size(devices), 1);
  json_t *device = json_array_get(devices, 0);
  assert_string_equal(member(device, "selector"), "level_zero:0.0");
  assert_string_equal(member(device, "parent"), "level_zero:0");
  assert_string_equal(member(device, "name"), "Zero GPU 0.0");
  assert_string_equal(member(root, "selector"), "level_zero:0.0");
  json_decref(root);
  command_clear(&ls);
}

TEST(a_bad_selector_is_refused) {
  outcome ls = command_run("ONEAPI_DEVICE_SELECTOR=opencl:tpu %s ls", TOOL);
  assert_status(ls, 1);
  assert_string_equal(ls.output, "");
  assert_contains(ls.errors, "specpi: device selector \"opencl:tpu\", term 1 (\"opencl:tpu\"), "
                             "character 8: \"tpu\" is not a device; allowed are *, cpu");
  command_clear(&ls);
}

TEST(the_usage_is_explained) {
  static const struct {
    const char *arguments;
    int status;
    const char *output;
    const char *errors;
  } lines[] = {
      {"", 2, "", "Usage: specpi COMMAND"},
      {"--help", 0, "Usage: specpi COMMAND", ""},
      {"--version", 0, "specpi 0.1.0, PI 15.47\n", ""},
      {"-V", 0, "specpi 0.1.0, PI 15.47\n", ""},
      {"-h", 0, "Usage: specpi COMMAND", ""},
      {"help", 0, "Usage: specpi COMMAND", ""},
      {"nothing", 2, "", "specpi: \"nothing\" is not a command; specpi --help lists them\n"},
      {"help ls", 0, "Usage: specpi ls", ""},
      {"--help launch", 0, "Usage: specpi launch", ""},
      {"help lz", 2, "", "\"lz\" is not a command: did you mean ls? specpi --help lists them\n"},
      {"ls --version", 0, "specpi 0.1.0, PI 15.47\n", ""},
      {"run -V", 0, "specpi 0.1.0, PI 15.47\n", ""},
      {"nothing -V", 2, "", "specpi: \"nothing\" is not a command; specpi --help lists them\n"},
      {"inspekt", 2, "",
       "\"inspekt\" is not a command: did you mean inspect? specpi --help lists them\n"},
      {"--nothing", 2, "", "specpi: \"--nothing\" is not a command"},
      {"ls --help", 0, "Usage: specpi ls", ""},
      {"ls --nothing", 2, "",
       "specpi ls: unrecognized option '--nothing'\nspecpi ls: specpi ls --help lists the "
       "options\n"},
      {"ls --jsin", 2, "", "specpi ls: did you mean --json? specpi ls --help lists the options\n"},
      {"ls more", 2, "", "ls takes no argument \"more\"; specpi ls --help describes it\n"},
      {"doctor --help", 0, "Usage: specpi doctor", ""},
      {"doctor --hepl", 2, "", "did you mean --help? specpi doctor --help lists the options\n"},
      {"doctor more", 2, "", "doctor takes no argument \"more\""},
      {"run --help", 0, "Usage: specpi run", ""},
      {"run -h", 0, "  -v, --verbose   print to stderr", ""},
      {"ls -h", 0, "  -h, --help     print this text\n", ""},
      {"run", 2, "", "run needs a command; specpi run --help describes it\n"},
      {"run --", 2, "", "run needs a command"},
      {"run --curda true", 2, "",
       "specpi run: did you mean --cuda? specpi run --help lists the options\n"},
      {"launch --globel 8", 2, "", "specpi launch: did you mean --global? "},
      {"run --sycl-rt", 2, "", "option '--sycl-rt' requires an argument"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    outcome done = command_run("%s %s", TOOL, lines[i].arguments);
    assert_status(done, lines[i].status);
    assert_contains(done.output, lines[i].output);
    assert_contains(done.errors, lines[i].errors);
    if (lines[i].status)
      assert_string_equal(done.output, "");
    else
      assert_string_equal(done.errors, "");
    command_clear(&done);
  }
}
