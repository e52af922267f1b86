/*
 * specpi inspect on files with known images: an object, a library, executables, files without
 * section headers or with packed relocations, and damaged files.
 */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "command.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *parse(const outcome *ran) {
  assert_status(*ran, 0);
  json_error_t error;
  json_t *root = json_loads(ran->output, 0, &error);
  if (!root)
    fail_msg("not JSON: %s\n%s", error.text, ran->output);
  return root;
}

/* Compares with JSON written with ' in place of ". */
static void check_json(json_t *is, const char *should) {
  char *text = strdup(should);
  assert_non_null(text);
  for (char *c = text; *c; c++)
    if (*c == '\'')
      *c = '"';
  json_error_t error;
  json_t *expected = json_loads(text, JSON_DECODE_ANY, &error);
  if (!expected)
    fail_msg("%s in %s", error.text, text);
  if (!json_equal(is, expected)) {
    char *dump = json_dumps(is, JSON_ENCODE_ANY);
    fail_msg("is %s\nnot %s", dump, text);
  }
  json_decref(expected);
  free(text);
}

static const char first_constants[] =
    "[{'name':'flag','type':'bool','size':1,'descriptors':[{'id':101,'offset':0,'size':1}],"
    "'default':'01'},"
    "{'name':'count','type':'i32','size':4,'descriptors':[{'id':105,'offset':0,'size':4}],"
    "'default':'feffffff'},"
    "{'name':'mix','type':'{f32, i8}','size':8,'descriptors':[{'id':107,'offset':0,'size':4},"
    "{'id':103,'offset':4,'size':1},{'id':4294967295,'offset':5,'size':3}],"
    "'default':'0000204009000000'}]";

static void check_images(const outcome *ran) {
  json_t *root = parse(ran);
  json_t *images = json_object_get(root, "images");
  assert_int_equal(json_array_size(images), 2);
  json_t *first = json_array_get(images, 0);
  check_json(json_object_get(first, "target"), "'spir64'");
  check_json(json_object_get(first, "format"), "'SPIR-V'");
  check_json(json_object_get(first, "code"), "null");
  check_json(json_object_get(first, "runtimes"),
             "['libsycl.so.7 (PI)','libsycl.so.8 (UR)','libspecpi']");
  check_json(json_object_get(first, "backends"),
             "['opencl','level_zero','cuda (by specpi-codegen)']");
  check_json(json_object_get(first, "kernels"), "['value']");
  check_json(json_object_get(first, "constants"), first_constants);
  check_json(
      json_object_get(first, "properties"),
      "[{'set':'SYCL/kernel param opt','name':'value','type':'bytes','bits':3,'value':'02'},"
      "{'set':'SYCL/misc properties','name':'optLevel','type':'uint32','value':2},"
      "{'set':'SYCL/misc properties','name':'note','type':'string','value':'\\u001b[2Jtext'}]");
  json_t *second = json_array_get(images, 1);
  check_json(json_object_get(second, "target"), "'nvptx64'");
  check_json(json_object_get(second, "format"), "'native'");
  check_json(json_object_get(second, "runtimes"), "[]");
  check_json(json_object_get(second, "backends"), "['cuda']");
  check_json(json_object_get(second, "size"), "12");
  check_json(json_object_get(second, "compile_options"), "'-x'");
  check_json(json_object_get(second, "kernels"), "['one','t?w\\u001bo']");
  check_json(json_object_get(second, "constants"), "[]");
  check_json(json_object_get(second, "properties"), "[]");
  json_decref(root);
}

TEST(finds_images) {
  static const char *const files[] = {SAMPLE_OBJECT,     SAMPLE_LIBRARY, SAMPLE_PACKED,
                                      SAMPLE_COMPRESSED, SAMPLE_FIXED,   SAMPLE_PIE};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    print_message("%s\n", files[i]);
    outcome ran = command_run(TOOL " inspect --json %s", files[i]);
    check_images(&ran);
    assert_string_equal(ran.errors, "");
    command_clear(&ran);
  }
}

/* Without section headers (offset and number in the ELF header are 0) the images are found, too. */
TEST(needs_no_sections) {
  static const char *const files[] = {SAMPLE_LIBRARY, SAMPLE_PACKED, SAMPLE_FIXED, SAMPLE_PIE};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    outcome ran = command_run("cp %s bare; dd if=/dev/zero of=bare bs=1 seek=40 count=8 "
                              "conv=notrunc 2>/dev/null; dd if=/dev/zero of=bare bs=1 seek=58 "
                              "count=6 conv=notrunc 2>/dev/null; " TOOL " inspect --json bare",
                              files[i]);
    check_images(&ran);
    command_clear(&ran);
  }
}

TEST(prints_text) {
  outcome ran = command_run("cp " SAMPLE_LIBRARY " sample; " TOOL " inspect sample");
  assert_status(ran, 0);
  static const char *const expected[] = {
      "sample: 2 device images\nimage 0: spir64, SPIR-V, ",
      "\n  kernel value, 3 arguments, without 1\n    argument 0: global i64*\n",
      "\n  constant flag: bool, 1 byte, default true, hex 01\n    id 101: bytes 0 to 1\n",
      "\n  constant count: i32, 4 bytes, default -2, hex feffffff\n    id 105: bytes 0 to 4\n",
      "\n  constant mix: {f32, i8}, 8 bytes, default 0000204009000000\n    id 107: bytes 0 to 4\n",
      "\n    id 107: bytes 0 to 4\n    id 103: bytes 4 to 5\n    padding: bytes 5 to 8\n",
      "\n  property SYCL/misc properties, optLevel: 2\n",
      "\n  property SYCL/misc properties, note: \"?[2Jtext\"\n",
      (" bytes\n  runs with: libsycl.so.7 (PI), libsycl.so.8 (UR), libspecpi; "
       "on opencl, level_zero, cuda (by specpi-codegen)\n  kernel value"),
      "\nimage 1: nvptx64, native, 12 bytes\n  runs on: cuda\n  compile options: -x\n",
      "\n  compile options: -x\n  kernel one\n",
  };
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
    assert_contains(ran.output, expected[i]);
  assert_contains_not(ran.output, "\033");
  command_clear(&ran);
}

TEST(extracts) {
  outcome ran =
      command_run(TOOL " inspect " SAMPLE_LIBRARY " --extract out && cmp out/image-0000.spv " MODULE
                       " && test \"$(cat out/image-0001.bin)\" = '.version 7.0' && ls out");
  assert_status(ran, 0);
  assert_contains(ran.output, "\nimage-0000.spv\nimage-0001.bin\n");
  command_clear(&ran);

  ran = command_run(TOOL " inspect " SAMPLE_COMPRESSED
                         " --extract out && cmp out/image-0000.spv " MODULE);
  assert_status(ran, 0);
  command_clear(&ran);

  /* Existing files and targets of links are not overwritten. */
  ran = command_run("mkdir out; echo mine >out/image-0000.spv; " TOOL " inspect " SAMPLE_LIBRARY
                    " --extract out; echo $?; cat out/image-0000.spv");
  assert_contains(ran.errors, "specpi: out/image-0000.spv: File exists\n");
  assert_contains(ran.output, "\n1\nmine\n");
  command_clear(&ran);
  ran = command_run("mkdir out; ln -s ../elsewhere out/image-0001.bin; " TOOL
                    " inspect " SAMPLE_LIBRARY " --extract out; echo $?; ls");
  assert_contains(ran.errors, "specpi: out/image-0001.bin: File exists\n");
  assert_contains(ran.output, "\n1\nout\n");
  command_clear(&ran);
  ran = command_run("echo >out; " TOOL " inspect " SAMPLE_LIBRARY " --extract out");
  assert_status(ran, 1);
  assert_string_equal(ran.errors, "specpi: out: Not a directory\n");
  command_clear(&ran);
}

TEST(finds_nothing) {
  outcome ran = command_run(TOOL " inspect --json " TOOL);
  json_t *root = parse(&ran);
  assert_int_equal(json_array_size(json_object_get(root, "images")), 0);
  json_decref(root);
  command_clear(&ran);
}

static const struct {
  const char *make; /* commands that make the file "bad" */
  const char *reason;
} bad[] = {
    {"ln -s nowhere bad", "No such file or directory"},
    {"mkdir bad", "it is not a regular file"},
    {"mkfifo bad", "it is not a regular file"},
    {": >bad", "it is empty"},
    {"echo Some text >bad", "it is no ELF file, no archive and no module of SPIR-V or PTX"},
    {"printf 'BC\\300\\336' >bad", "it is LLVM bitcode; inspect reads ELF files of x86-64"},

    {"head -c 63 " SAMPLE_LIBRARY " >bad", "63 bytes are too short for an ELF file"},
    {"cp " SAMPLE_LIBRARY " bad; printf '\\1' | dd of=bad bs=1 seek=4 conv=notrunc 2>&-",
     "it is an ELF file of class 1, byte order 1 and machine 62, not of x86-64"},
    {"cp " SAMPLE_LIBRARY " bad; printf '\\267' | dd of=bad bs=1 seek=18 conv=notrunc 2>&-",
     "it is an ELF file of class 2, byte order 1 and machine 183, not of x86-64"},
    {"cp " SAMPLE_LIBRARY " bad; printf '\\4' | dd of=bad bs=1 seek=16 conv=notrunc 2>&-",
     "it is an ELF file of type 4, not an executable, a library or an object"},
    {"head -c 100 " SAMPLE_LIBRARY " >bad", "program header 0 of "},
    {"head -c 4000 " SAMPLE_LIBRARY " >bad", "and the file has 4000: it is damaged"},
    {"head -c 4000 " SAMPLE_OBJECT " >bad", "cannot be read"},
    {"cp " DAMAGED "1.so bad", "device image 2 of 9999 at address 0x"},
    {"cp " DAMAGED "2.so bad",
     "is damaged: the table of kernels, from address 0x7f0000000000 to 0x7f0000000040, does not "
     "lie in the file"},
    {"cp " DAMAGED "3.so bad", "is damaged: the table of property sets has 25 bytes, which are not "
                               "whole elements of 24"},
    {"cp " DAMAGED "4.so bad", "is damaged: constant \"mix\": entry 2 begins at byte 1, and the "
                               "one before it ends at 5"},
    {"cp " DAMAGED "5.so bad", "so they overlap"},
    {"cp " DAMAGED "7.so bad", "is damaged: its code cannot be decompressed: "},
    {"cp " DAMAGED "8.so bad", "is damaged: its code is to be compressed by zstd, and is no frame"},
    {"cp " DAMAGED "9.so bad", "is damaged: its code has 8000000 bytes when it is not compressed"},
};

TEST(refuses_bad_files) {
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    print_message("%s\n", bad[i].make);
    command_refuses(bad[i].reason, "%s; " TOOL " inspect bad --json", bad[i].make);
  }
}

/* A truncated file is an error, or has no images if the cut is before them. */
TEST(survives_cuts) {
  outcome ran = command_run(
      "for file in " SAMPLE_LIBRARY " " SAMPLE_OBJECT "; do size=$(stat -c %%s $file); cut=1; "
      "while [ $cut -lt $size ]; do head -c $((size - cut)) $file >part; " TOOL
      " inspect part >out 2>err; status=$?; test $status -le 1 || { echo $file $cut $status; exit "
      "9; };"
      " cut=$((cut + cut / 4 + 1)); done; done; echo all");
  assert_status(ran, 0);
  assert_string_equal(ran.output, "all\n");
  command_clear(&ran);
}

TEST(checks_its_arguments) {
  outcome ran = command_run(TOOL " inspect");
  assert_status(ran, 2);
  assert_contains(ran.errors,
                  "inspect takes one file, not 0; specpi inspect --help describes it\n");
  command_clear(&ran);
  ran = command_run(TOOL " inspect a b");
  assert_status(ran, 2);
  command_clear(&ran);
  ran = command_run(TOOL " inspect --unknown");
  assert_status(ran, 2);
  command_clear(&ran);
  ran = command_run(TOOL " inspect --help");
  assert_status(ran, 0);
  assert_contains(ran.output, "Usage: specpi inspect FILE");
  command_clear(&ran);
  ran = command_run(TOOL " inspect " SAMPLE_LIBRARY " >/dev/full");
  assert_status(ran, 1);
  assert_contains(ran.errors, "the list could not be written");
  command_clear(&ran);
}
