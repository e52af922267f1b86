/* specpi inspect on archives of GNU's and BSD's form, and on damaged ones. */
#define _POSIX_C_SOURCE 200809L
#include "command.h"

#include <jansson.h>
#include <string.h>

/* Shell functions that write an archive: begin, and header NAME SIZE. */
#define BY_HAND                                                                                    \
  "begin() { printf '!<arch>\\n'; }; "                                                             \
  "header() { printf '%%-16s%%-12s%%-6s%%-6s%%-8s%%-10s`\\n' \"$1\" 0 0 0 644 \"$2\"; }; "

#define LONG "a_member_whose_name_has_more_than_sixteen_bytes.o"

TEST(lists_members) {
  outcome ran = command_run("echo text >notes.txt; cp " SAMPLE_OBJECT " " LONG
                            "; cp " SAMPLE_LIBRARY " part.so; ar rcs lib.a notes.txt " LONG
                            " part.so; " TOOL " inspect lib.a --extract out; ls out");
  assert_status(ran, 0);
  assert_string_equal(ran.errors, "");
  assert_contains(ran.output, "lib.a: 4 device images in 2 of 3 members\n" LONG
                              ": 2 device images\nimage 0: spir64, ");
  assert_contains(ran.output, "\n  kernel value, 3 arguments, without 1\n");
  assert_contains(ran.output, "\nimage 1: nvptx64, ");
  assert_contains(ran.output, "\npart.so: 2 device images\nimage 2: spir64, ");
  assert_contains(ran.output, "\nimage-0000.spv\nimage-0001.bin\nimage-0002.spv\nimage-0003.bin\n");
  command_clear(&ran);
}

TEST(says_members_in_json) {
  outcome ran = command_run("cp " SAMPLE_OBJECT " x.o; ar rc lib.a x.o; " TOOL
                            " inspect --json lib.a && " TOOL " inspect --json x.o >one");
  assert_status(ran, 0);
  json_t *root = json_loads(ran.output, 0, NULL);
  json_t *images = json_object_get(root, "images");
  assert_int_equal(json_array_size(images), 2);
  for (size_t i = 0; i < 2; i++)
    assert_string_equal(json_string_value(json_object_get(json_array_get(images, i), "member")),
                        "x.o");
  json_decref(root);
  command_clear(&ran);
  ran = command_run(TOOL " inspect --json " SAMPLE_OBJECT);
  assert_contains(ran.output, "\"member\": null");
  command_clear(&ran);
}

/* BSD's form: a long name is in front of the member's contents; a short one ends with blanks. */
TEST(reads_names_of_bsd) {
  outcome ran = command_run(
      BY_HAND "size=$(stat -c %%s " SAMPLE_OBJECT "); { begin; header '#1/20' $((size + 20)); "
              "printf 'in front of it.o\\0\\0\\0\\0'; cat " SAMPLE_OBJECT
              "; header short.o $size; cat " SAMPLE_OBJECT "; } >lib.a; " TOOL " inspect lib.a");
  assert_status(ran, 0);
  assert_contains(ran.output, "lib.a: 4 device images in 2 of 2 members\n"
                              "in front of it.o: 2 device images\n");
  assert_contains(ran.output, "\nshort.o: 2 device images\n");
  command_clear(&ran);
}

TEST(reads_thousands_of_members) {
  outcome ran = command_run(
      "mkdir in; cd in; seq 3000 | while read i; do echo $i >a_member_number_$i.txt; "
      "done; cp " SAMPLE_OBJECT " z.o; ar rc ../lib.a *; cd ..; " TOOL " inspect lib.a | head -2");
  assert_status(ran, 0);
  assert_string_equal(ran.output,
                      "lib.a: 2 device images in 1 of 3001 members\nz.o: 2 device images\n");
  command_clear(&ran);
}

TEST(reads_an_archive_without_images) {
  outcome ran = command_run("printf '!<arch>\\n' >empty.a; " TOOL " inspect empty.a");
  assert_status(ran, 0);
  assert_string_equal(ran.output, "empty.a: 0 device images in 0 of 0 members\n");
  command_clear(&ran);
}

#define DAMAGED_ARCHIVE ": the archive is damaged"

static const struct {
  const char *make; /* commands that make the file "bad" */
  const char *reason;
} bad[] = {
    {"echo >x; ar rcT bad x",
     "it is a thin archive, which has only the names of its members' files"},
    {"{ begin; printf abc; } >bad",
     "the member whose header is at byte 8 has 3 bytes of 60 of it" DAMAGED_ARCHIVE},
    {"{ begin; header a/ 4 | tr '`' x; echo abc; } >bad", "has bytes 0x78 0x0a at its end"},
    {"{ begin; header a/ 4; echo abc; header b/ 9999999999; echo abc; } >bad",
     "the member whose header is at byte 72 has 9999999999 bytes, and the file has 4 after "
     "it" DAMAGED_ARCHIVE},
    {"{ begin; header a/ -4; echo abc; } >bad", "has no size that is a number"},
    {"{ begin; header a/ ''; echo abc; } >bad", "has no size that is a number"},
    {"{ begin; header /5 4; echo abc; } >bad",
     "has a name that is not in the table of names, of 0 bytes"},
    {"{ begin; header // 4; printf abc/; header /0 4; echo abc; } >bad",
     "has a name without an end in 4 bytes"},
    {"{ begin; header // 9000; printf '%9000s' x; header /0 4; echo abc; } >bad",
     "has a name without an end in 4097 bytes"},
    {"{ begin; header // 5000; printf '%4999s\\n' x; header /903 4; echo abc; } >bad",
     "has a name of more than 4095 bytes"},
    {"{ begin; header '#1/9' 4; echo abc; } >bad",
     "has a name which is longer than the member's 4 bytes"},
    {"{ begin; header '#1/5000' 5000; printf '%5000s' x; } >bad",
     "has a name of more than 4095 bytes"},
    {"head -c 4000 " SAMPLE_OBJECT " >x.o; ar rc bad x.o >log 2>&1", "member x.o: "},
};

TEST(refuses_bad_archives) {
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    print_message("%s\n", bad[i].make);
    command_refuses(bad[i].reason, BY_HAND "PATH=$PATH:/usr/bin; %s; " TOOL " inspect bad",
                    bad[i].make);
  }
}

/* A truncated archive is an error, unless the cut is at a member's end. */
TEST(survives_cuts) {
  outcome ran = command_run(
      "cp " SAMPLE_OBJECT " " LONG "; ar rcs lib.a " LONG "; size=$(stat -c %%s lib.a); cut=1; "
      "while [ $cut -lt $size ]; do head -c $((size - cut)) lib.a >part; " TOOL
      " inspect part >out 2>err; status=$?; test $status = 1 || test $((size - cut)) -le 300 || { "
      "echo $cut $status; exit 9; }; cut=$((cut + cut / 4 + 1)); done; echo all");
  assert_status(ran, 0);
  assert_string_equal(ran.output, "all\n");
  command_clear(&ran);
}
