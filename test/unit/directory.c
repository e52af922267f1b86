/*
 * Directories that no other user can change or replace: their owners, the rights of the directories
 * above, and symbolic links. The cases with other owners run only as root.
 */
#define _GNU_SOURCE /* mkdtemp */
#include "check.h"

#include "../../plugins/base/directory.h"
#include "../support/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { OTHERS = S_IRWXG | S_IRWXO, SOMEBODY = 12345 };

static char base[PATH_MAX / 2];
static char reason[512];

/* Runs lines of sh in a new directory, $W. */
static void arrange(const char *lines) {
  snprintf(base, sizeof base, "/tmp/specpi-directory-test-XXXXXX");
  assert_non_null(mkdtemp(base));
  const pid_t child = tests_fork();
  if (child == 0) {
    setenv("W", base, 1);
    if (chdir(base) == 0)
      execl("/bin/sh", "sh", "-ec", lines, (char *)NULL);
    _exit(127);
  }
  tests_join(child);
}

static void clear(void) {
  assert_int_equal(scratch_remove(base), 0);
}

/* Opens a directory below base; returns its descriptor, or -1. */
static int open_below(const char *path, bool make) {
  char whole[PATH_MAX];
  snprintf(whole, sizeof whole, "%s/%s", base, path);
  reason[0] = '\0';
  errno = 0;
  return directory_open(whole, OTHERS, make, reason, sizeof reason);
}

/* Shell commands that make directories, the path to open, and the expected fault (NULL: none). */
typedef struct row {
  const char *lines;
  const char *path;
  const char *fault; /* a part of the message */
} row;

static void check_rows(const row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    arrange(rows[i].lines);
    for (int make = 0; make <= 1; make++) {
      const int directory = open_below(rows[i].path, make);
      if ((directory >= 0) != !rows[i].fault ||
          (rows[i].fault && (!strstr(reason, rows[i].fault) || errno == ENOENT)))
        fail_msg("%s: %s gives %d, \"%s\"", rows[i].lines, rows[i].path, directory, reason);
      if (directory >= 0) {
        struct stat status;
        assert_int_equal(fstat(directory, &status), 0);
        assert_int_equal(status.st_mode & 07777, 0700);
        assert_int_equal(fcntl(directory, F_GETFD), FD_CLOEXEC);
        close(directory);
      }
    }
    clear();
  }
}
#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof(rows)[0])

TEST(unsafe_modes_and_links_are_refused) {
  static const row rows[] = {
      {"mkdir -m 700 a", "a", NULL},
      {"mkdir -m 700 a", "a///", NULL},
      {"mkdir -m 700 a", "./a/./.", NULL},
      {"mkdir -m 700 a a/b", "a/b/..", NULL},
      {"mkdir -m 700 a ...; mv a ...", ".../a", NULL},
      {"mkdir -m 750 a", "a", "the directory has mode 0750, which lets others in"},
      {"mkdir -m 701 a", "a", "the directory has mode 0701, which lets others in"},
      {": >a", "a", "the directory cannot be opened: Not a directory"},
      {": >a", "a/b", "the directory cannot be opened: Not a directory"},
      /* The last name must not be a link, even with slashes after it; links above are followed. */
      {"mkdir -m 700 a; ln -s a l", "l", "the directory is a symbolic link"},
      {"mkdir -m 700 a; ln -s a l", "l/", "the directory is a symbolic link"},
      {"mkdir -m 700 a; ln -s a l", "l//", "the directory is a symbolic link"},
      {"mkdir -m 700 a; ln -s a l", "l/.", "the directory is a symbolic link"},
      {"mkdir -m 700 a; ln -s a l", "l/././/", "the directory is a symbolic link"},
      {"ln -s nothing l", "l/", "the directory is a symbolic link"},
      {"mkdir -m 700 a a/b; ln -s a l", "l/b", NULL},
      {"mkdir -m 700 a a/b; ln -s \"$W/a\" l; ln -s l m", "m/../a/b", NULL},
      {"ln -s l l", "l/b", "the directory cannot be opened: Too many levels of symbolic links"},
      /* Others may write above it. With a sticky bit they can only rename their own files. */
      {"mkdir -m 700 a a/b; chmod 777 a", "a/b", "/a above it has mode 0777, so that others may "},
      {"mkdir -m 700 a a/b; chmod 1777 a", "a/b", NULL},
      {"mkdir -m 700 a a/b b; chmod 777 b; ln -s ../a b/l", "b/l/b", "/b above it has mode 0777"},
      {"mkdir -m 700 a a/b b; chmod 777 a; ln -s ../a b/l", "b/l/b", "/a above it has mode 0777"},
  };
  CHECK_ROWS(rows);
}

TEST(other_users_directories_are_refused) {
  if (geteuid() != 0)
    skip();
  static const row rows[] = {
      {"mkdir -m 700 a; chown 12345 a", "a", "the directory belongs to user 12345, not to user 0"},
      {"mkdir -m 755 a; mkdir -m 700 a/b; chown 12345 a", "a/b",
       "/a above it belongs to user 12345, not to root or to user 0"},
      {"mkdir -m 755 a a/b; mkdir -m 700 a/b/c; chown 12345 a", "a/b/c", "/a above it belongs to"},
      /* A link that another user owns, and one in another user's directory. */
      {"mkdir -m 700 a a/b; ln -s a l; chown -h 12345 l", "l/b", "/l above it belongs to user"},
      {"mkdir -m 700 a a/b; mkdir -m 755 c; ln -s ../a c/l; chown 12345 c", "c/l/b",
       "/c above it belongs to user 12345"},
      {"mkdir -m 1777 t; mkdir -m 700 t/a t/a/b; chown 12345 t/a", "t/a/b", "/t/a above it"},
      {"mkdir -m 1777 t; mkdir -m 700 t/a; chown 12345 t", "t/a", "/t above it belongs to"},
      /* Group 0 has only root as a member; any other group is shared. */
      {"mkdir -m 770 a; mkdir -m 700 a/b", "a/b", NULL},
      {"mkdir -m 770 a; mkdir -m 700 a/b; chgrp 12345 a", "a/b", "/a above it has mode 0770"},
      {"mkdir -m 770 a; mkdir -m 700 a/b; chgrp 12345 a; chmod +t a", "a/b", NULL},
  };
  CHECK_ROWS(rows);
}

/* For a user that is not root, root's directories are safe, and group 0 is a shared group. */
TEST(other_users_trust_roots_directories) {
  if (geteuid() != 0)
    skip();
  arrange("chmod 755 .; mkdir -m 700 a s; chown 12345:0 a s; chmod 770 s; mkdir -m 700 s/b; "
          "chown 12345 s/b");
  const pid_t child = tests_fork();
  if (child == 0)
    _exit(setegid(0) != 0 || seteuid(SOMEBODY) != 0 || open_below("a", false) < 0
              ? 1
              : open_below("s/b", false) >= 0 || !strstr(reason, "/s above it has mode 0770"));
  tests_join(child);
  clear();
}

/* With an access control list, the mode's group bits are the maximum of the list's rights. */
TEST(access_control_lists_are_checked) {
  static const struct {
    uint32_t version;
    struct {
      uint16_t tag, rights;
      uint32_t id;
    } entries[5];
  } list = {2,
            {{0x01, 7, UINT32_MAX},
             {0x02, 7, SOMEBODY},
             {0x04, 0, UINT32_MAX},
             {0x10, 7, UINT32_MAX},
             {0x20, 0, UINT32_MAX}}};
  arrange("mkdir -m 700 a a/b");
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/a", base);
  const bool is_set = setxattr(path, "system.posix_acl_access", &list, sizeof list, 0) == 0;
  const int directory = open_below("a/b", false);
  clear();
  if (!is_set)
    skip(); /* the file system has no access control lists */
  assert_int_equal(directory, -1);
  assert_non_null(strstr(reason, "/a above it has mode 0770"));
}

TEST(makes_what_is_missing) {
  arrange(":");
  assert_int_equal(open_below("a/b", false), -1);
  assert_int_equal(errno, ENOENT);
  assert_string_equal(reason, "the directory cannot be opened: No such file or directory");
  const int directory = open_below("a//b/c/", true);
  assert_true(directory >= 0);
  struct stat made, above;
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/a/b/c", base);
  assert_int_equal(fstat(directory, &made), 0);
  assert_int_equal(stat(path, &above), 0);
  assert_int_equal(made.st_ino, above.st_ino);
  snprintf(path, sizeof path, "%s/a", base);
  assert_int_equal(stat(path, &above), 0);
  assert_int_equal(above.st_mode & 07777, 0700);
  close(directory);
  clear();
}

TEST(strange_paths_are_refused) {
  static char path[2 * PATH_MAX];
  assert_int_equal(directory_open("", OTHERS, true, reason, sizeof reason), -1);
  assert_string_equal(reason, "the directory's path is not absolute");
  assert_int_equal(directory_open("tmp", OTHERS, true, reason, sizeof reason), -1);
  assert_int_equal(directory_open("/", OTHERS, true, reason, sizeof reason), -1);
  assert_non_null(strstr(reason, "the directory "));
  memset(path, 'x', sizeof path - 1);
  path[0] = '/';
  assert_int_equal(directory_open(path, OTHERS, true, reason, sizeof reason), -1);
  assert_string_equal(reason, "the directory's path is too long");
  path[NAME_MAX + 2] = '\0';
  assert_int_equal(directory_open(path, OTHERS, true, reason, sizeof reason), -1);
  assert_string_equal(reason, "the directory cannot be opened: File name too long");
  assert_int_equal(directory_open("/proc/specpi/a", OTHERS, true, reason, 33), -1);
  assert_string_equal(reason, "the directory cannot be made: No");
}

/* A failed open leaves no descriptor open. */
TEST(keeps_no_files) {
  arrange("mkdir -m 700 a a/b; ln -s \"$W/a\" l; ln -s l l/b/m; chmod 777 a/b; : >f");
  static const char *const paths[] = {"l/b", "l/b/m/x", "f/x", "nothing/x", "l", "a/b/../../l/b/"};
  const int first = dup(0);
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
    assert_int_equal(open_below(paths[i], false), -1);
  const int second = dup(0);
  assert_int_equal(second, first + 1);
  close(first);
  close(second);
  clear();
}

int main(void) {
  umask(0);
  return tests_run(NULL, NULL);
}
