#define _GNU_SOURCE /* O_PATH */
#include "directory.h"

#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Limit for symbolic links in a path, the same as the kernel's. */
enum { MOST_LINKS = 40 };

/* State of following a path. */
typedef struct walk {
  int directory; /* the directory reached so far, opened with O_PATH */
  const char *path;
  char rest[PATH_MAX];
  unsigned links;
  mode_t forbidden;
  bool make;
  char *reason;
  size_t size;
} walk;

/* Sets the reason and errno; the value is false. */
#define REFUSE(walk, error, ...)                                                                   \
  (snprintf((walk)->reason, (walk)->size, __VA_ARGS__), errno = (error), false)

static bool refuse_open(walk *walk, int error) {
  return REFUSE(walk, error, "the directory cannot be opened: %s", strerror(error));
}

/* ---- Who may change a directory ---- */

/* Returns whether a group is named like the effective user and has no other members. */
static bool is_own_group(gid_t group) {
  char user_text[1024];
  char group_text[1024];
  struct passwd user, *found_user;
  struct group entry, *found;
  if (getpwuid_r(geteuid(), &user, user_text, sizeof user_text, &found_user) != 0 || !found_user ||
      getgrgid_r(group, &entry, group_text, sizeof group_text, &found) != 0 || !found)
    return false;
  for (char **member = entry.gr_mem; *member; member++)
    if (strcmp(*member, user.pw_name) != 0)
      return false;
  return user.pw_gid == group && strcmp(entry.gr_name, user.pw_name) == 0;
}

/* Path by which an open descriptor can be named. */
typedef struct file_path {
  char text[32];
} file_path;

static file_path path_of(int file) {
  file_path path;
  snprintf(path.text, sizeof path.text, "/proc/self/fd/%d", file);
  return path;
}

/* Returns whether users other than root and the effective user may write to a directory. */
static bool is_shared(int directory, const struct stat *status) {
  if (status->st_mode & S_IWOTH)
    return true;
  if (!(status->st_mode & S_IWGRP))
    return false;
  /* With an ACL, the group's mode bits are an upper limit for all users and groups in the ACL. */
  return getxattr(path_of(directory).text, "system.posix_acl_access", NULL, 0) > 0 ||
         !is_own_group(status->st_gid);
}

/* Writes the real path of an open descriptor, for messages. */
static const char *real_path(int place, char real[PATH_MAX]) {
  const ssize_t length = readlink(path_of(place).text, real, PATH_MAX - 1);
  real[length > 0 ? length : 0] = '\0';
  return real;
}

/* Checks that other users cannot make the rest of the path lead elsewhere. */
static bool check_above(walk *walk, int place, const struct stat *status) {
  char real[PATH_MAX];
  if (status->st_uid != 0 && status->st_uid != geteuid())
    return REFUSE(walk, EPERM, "%s above it belongs to user %u, not to root or to user %u",
                  real_path(place, real), (unsigned)status->st_uid, (unsigned)geteuid());
  if (S_ISDIR(status->st_mode) && !(status->st_mode & S_ISVTX) && is_shared(place, status)) {
    const char *path = real_path(place, real);
    const bool is_own = status->st_uid == geteuid();
    return REFUSE(walk, EPERM, "%s above it has mode %04o, so that others may write there%s%s%s",
                  path, (unsigned)status->st_mode & 07777, is_own ? "; type chmod go-w '" : "",
                  is_own ? path : "", is_own ? "'" : "");
  }
  return true;
}

static bool check_last(walk *walk, int directory) {
  struct stat status;
  if (fstat(directory, &status) != 0)
    return refuse_open(walk, errno);
  if (status.st_uid != geteuid())
    return REFUSE(walk, EPERM, "the directory belongs to user %u, not to user %u",
                  (unsigned)status.st_uid, (unsigned)geteuid());
  if (status.st_mode & walk->forbidden)
    return REFUSE(walk, EPERM,
                  "the directory has mode %04o, which lets others in; type chmod 700 '%s'",
                  (unsigned)status.st_mode & 07777, walk->path);
  return true;
}

/* ---- Following the path ---- */

/* Removes the next name from the rest of the path. Returns false at the end or if !*good. */
static bool take_name(walk *walk, char name[NAME_MAX + 1], bool *good) {
  const char *at = walk->rest;
  size_t length;
  for (;;) {
    at += strspn(at, "/");
    length = strcspn(at, "/");
    if (length != 1 || *at != '.')
      break;
    at++;
  }
  *good = length <= NAME_MAX || refuse_open(walk, ENAMETOOLONG);
  if (length == 0 || !*good)
    return false;
  memcpy(name, at, length);
  name[length] = '\0';
  memmove(walk->rest, at + length, strlen(at + length) + 1);
  return true;
}

static bool is_at_end(const walk *walk) {
  return strspn(walk->rest, "/.") == strlen(walk->rest) && !strstr(walk->rest, "..");
}

/* Closes the directory reached so far, and goes on from the next one. */
static void move_to(walk *walk, int place) {
  close(walk->directory);
  walk->directory = place;
}

/* Puts a link's target before the rest of the path. Closes link. */
static bool follow_link(walk *walk, int link) {
  char target[PATH_MAX];
  const ssize_t length = readlinkat(link, "", target, sizeof target);
  const size_t rest = strlen(walk->rest);
  close(link);
  if (length <= 0 || (size_t)length + rest >= sizeof walk->rest || ++walk->links > MOST_LINKS)
    return refuse_open(walk, ELOOP);
  memmove(walk->rest + length, walk->rest, rest + 1);
  memcpy(walk->rest, target, (size_t)length);
  if (target[0] != '/')
    return true;
  const int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0)
    return refuse_open(walk, errno);
  move_to(walk, root);
  return true;
}

/* Opens a name in the current directory. Creates a missing directory if walk->make is set. */
static int open_name(walk *walk, const char *name) {
  enum { FLAGS = O_PATH | O_NOFOLLOW | O_CLOEXEC };
  int place = openat(walk->directory, name, FLAGS);
  if (place < 0 && errno == ENOENT && walk->make) {
    if (mkdirat(walk->directory, name, S_IRWXU) != 0 && errno != EEXIST) {
      const int error = errno;
      (void)REFUSE(walk, error, "the directory cannot be made: %s", strerror(error));
      return -1;
    }
    place = openat(walk->directory, name, FLAGS);
  }
  if (place < 0)
    refuse_open(walk, errno);
  return place;
}

static bool enter(walk *walk, const char *name) {
  const bool is_last = is_at_end(walk);
  const int place = open_name(walk, name);
  if (place < 0)
    return false;
  struct stat status;
  bool good = fstat(place, &status) == 0 || refuse_open(walk, errno);
  if (good && is_last && S_ISLNK(status.st_mode))
    good = REFUSE(walk, EPERM, "the directory is a symbolic link");
  if (good && !is_last)
    good = check_above(walk, place, &status);
  if (good && S_ISLNK(status.st_mode))
    return follow_link(walk, place);
  if (good) {
    move_to(walk, place);
    return true;
  }
  const int error = errno;
  close(place);
  errno = error;
  return false;
}

static bool follow_path(walk *walk) {
  struct stat status;
  char name[NAME_MAX + 1];
  bool good = fstat(walk->directory, &status) == 0 ? check_above(walk, walk->directory, &status)
                                                   : refuse_open(walk, errno);
  while (good && take_name(walk, name, &good))
    good = enter(walk, name);
  return good;
}

/* Opens the last directory of the path for the caller, and checks it. Returns -1 with a reason. */
static int open_last(walk *walk) {
  const int directory = openat(walk->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) {
    refuse_open(walk, errno);
  } else if (!check_last(walk, directory)) {
    const int error = errno;
    close(directory);
    errno = error;
    return -1;
  }
  return directory;
}

int directory_open(const char *path, mode_t forbidden, bool make, char *reason, size_t size) {
  walk walk = {.path = path, .forbidden = forbidden, .make = make, .reason = reason, .size = size};
  const size_t length = strlen(path);
  bool good = path[0] == '/' || REFUSE(&walk, EINVAL, "the directory's path is not absolute");
  if (good && length >= sizeof walk.rest)
    good = REFUSE(&walk, ENAMETOOLONG, "the directory's path is too long");
  if (!good)
    return -1;
  memcpy(walk.rest, path, length + 1);
  walk.directory = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (walk.directory < 0) {
    refuse_open(&walk, errno);
    return -1;
  }
  const int opened = follow_path(&walk) ? open_last(&walk) : -1;
  const int error = errno;
  close(walk.directory);
  errno = error;
  return opened;
}

bool directory_find_cache(char *path, size_t size) {
  const char *base = os_environment_safe("XDG_CACHE_HOME");
  const char *below = "";
  if (!base || *base != '/') {
    base = os_environment_safe("HOME");
    below = "/.cache";
    /* The home directory is never created. */
    if (!base || *base != '/' || access(base, F_OK) != 0)
      return false;
  }
  const int length = snprintf(path, size, "%s%s/specpi", base, below);
  return length >= 0 && (size_t)length < size;
}

bool directory_find_kept(char *path, size_t size, bool *is_usual) {
  const char *named = os_environment_safe("SPECPI_CACHE_DIR");
  *is_usual = !named;
  if (!named)
    return directory_find_cache(path, size);
  snprintf(path, size, "%s", named);
  return *named != '\0';
}
