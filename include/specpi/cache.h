/*
 * The program cache: what was built once is not built again. Part of specpi.h, which includes
 * this file; docs/internals/cache.md says more.
 *
 * A program is kept by all that decides on its code: the image's content, the device with its
 * driver's version, the build options, and the value of each constant that is set. It is in
 * memory for this process and, if there is a directory, on disk for later ones. specpiBundleBuild
 * and specpiBundleGetKernel go through it.
 *
 * The directory is specpi below XDG_CACHE_HOME, or else ~/.cache/specpi, unless another is named.
 *
 *   SPECPI_CACHE_DIR=/fast/disk/specpi      names it from outside; set and empty, it means none.
 *   A process that runs with more rights than its user has no directory, whatever the environment
 *   says. If the directory cannot be used, one line on stderr says why, and programs are built as
 *   without it. Nothing is said of a home that is not there, cannot be written or is full.
 */
#ifndef SPECPI_CACHE_PUBLIC_H
#define SPECPI_CACHE_PUBLIC_H

#include <specpi/specpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * A kernel of an input bundle, with the bundle's values and count others in their place, ready to
 * launch: from the cache if it was there, else it is built now. The bundle is not changed. Any
 * number of threads may ask for the same or for different values; what several ask for at the same
 * time is built once. *kernel is a new reference to a kernel that others may have, too; all may
 * launch it.
 *
 * values may be NULL when count is 0. options as specpiBundleBuild.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: input, name or kernel is NULL, or the values as
 * specpiBundleSetMany. SPECPI_ERROR_INVALID_STATE: the bundle is not in state INPUT.
 * SPECPI_ERROR_UNKNOWN_KERNEL: it has no kernel of that name. SPECPI_ERROR_UNKNOWN_CONSTANT,
 * SPECPI_ERROR_INVALID_TYPE, SPECPI_ERROR_INVALID_SIZE as specpiBundleSetMany,
 * SPECPI_ERROR_BUILD_FAILED, SPECPI_ERROR_NO_VALUE, SPECPI_ERROR_DRIVER as specpiBundleBuild,
 * SPECPI_ERROR_INVALID_IMAGE as specpiKernelCreate, SPECPI_ERROR_OUT_OF_MEMORY. A failure is not
 * kept: the next call builds again.
 */
specpi_result specpiBundleGetKernel(specpi_bundle input, const char *name, const char *options,
                                    size_t count, const specpi_value *values,
                                    specpi_kernel *kernel);

/* The limits of the cache. Beyond them the least recently used programs are given up first. */
typedef struct specpi_cache_limits {
  size_t programs;          /* in memory; 0: nothing is kept there */
  size_t bytes;             /* of their code, or of their images, and their keys */
  uint64_t directory_bytes; /* of all files in the directory, each in whole blocks of 4096 */
  uint64_t file_bytes;      /* of one file: larger ones are neither written nor read */
} specpi_cache_limits;

/* The limits at the start. */
#define SPECPI_CACHE_PROGRAMS 512
#define SPECPI_CACHE_BYTES ((size_t)256 << 20)
#define SPECPI_CACHE_DIRECTORY_BYTES ((uint64_t)1 << 30)
#define SPECPI_CACHE_FILE_BYTES ((uint64_t)64 << 20)

/*
 * Sets the limits; NULL restores those at the start. An excess in memory is given up now, an excess
 * in the directory when the next file is written. Kernels and bundles that a caller holds stay as
 * they are. Always SPECPI_SUCCESS.
 */
specpi_result specpiCacheSetLimits(const specpi_cache_limits *limits);
/* SPECPI_ERROR_INVALID_ARGUMENT: limits is NULL. */
specpi_result specpiCacheGetLimits(specpi_cache_limits *limits);

/*
 * Names the directory in which programs are kept for later processes, in place of the
 * environment's; NULL: none. What is missing of the path is made, with mode 0700. Only who may
 * write in the directory decides what code runs, so it must be the user's alone. Processes with the
 * same directory build a program once: one builds, the others wait for it, at most 30 seconds.
 *
 * SPECPI_ERROR_DIRECTORY: the path is not absolute or too long, or the directory cannot be made or
 * opened, is a symbolic link, belongs to somebody else, or has rights for others; or a directory
 * above it belongs to neither root nor the user, or lets others rename what is in it. Then nothing
 * is changed.
 */
specpi_result specpiCacheSetDirectory(const char *directory);

/* The directory, and what is in it. Hits and writes are those of all processes since it was
 * cleared.
 */
typedef struct specpi_cache_directory {
  char path[4096]; /* empty when there is none */
  uint64_t files;
  uint64_t bytes; /* of these, each in whole blocks of 4096 */
  uint64_t hits;
  uint64_t writes;
} specpi_cache_directory;

/*
 * Looks into the directory; it lists all its files, for people and not for each launch. CUDA's
 * plugin keeps its files there as well, unless specpiCacheSetDirectory named the directory.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: directory is NULL. SPECPI_ERROR_DIRECTORY: the directory that the
 * environment means, or its files, cannot be used; the message says why, and path has where.
 */
specpi_result specpiCacheGetDirectory(specpi_cache_directory *directory);

/*
 * X(name, text): what is counted since the process began; "now" is the state at the call.
 * An image that reads its constants from a buffer counts as a program, and once more for each set
 * of values.
 */
#define SPECPI_CACHE_STATISTICS(X)                                                                 \
  X(hits, "found in memory")                                                                       \
  X(shared, "asked for while another thread made it")                                              \
  X(misses, "not in memory: read from the directory or built")                                     \
  X(builds, "built by the driver from an image")                                                   \
  X(failures, "misses that gave an error")                                                         \
  X(evictions, "given up for others, or not kept for their size")                                  \
  X(programs, "in memory now")                                                                     \
  X(bytes, "of these now")                                                                         \
  X(disk_hits, "read from the directory")                                                          \
  X(disk_misses, "not in the directory")                                                           \
  X(disk_rejected, "files that were damaged, foreign, or not taken by the driver")                 \
  X(disk_writes, "files written")                                                                  \
  X(disk_failures, "reads and writes of files that failed")                                        \
  X(disk_evictions, "files removed for others")

typedef struct specpi_cache_statistics {
#define SPECPI_CACHE_STATISTIC(name, text) uint64_t name;
  SPECPI_CACHE_STATISTICS(SPECPI_CACHE_STATISTIC)
#undef SPECPI_CACHE_STATISTIC
} specpi_cache_statistics;

/* SPECPI_ERROR_INVALID_ARGUMENT: statistics is NULL. */
specpi_result specpiCacheGetStatistics(specpi_cache_statistics *statistics);

/*
 * Gives up all programs in memory. What is being built now goes to those who asked for it and is
 * not kept. Files stay. Always SPECPI_SUCCESS.
 */
specpi_result specpiCacheClear(void);

/*
 * Removes all files of the cache from its directory, and nothing else; without a directory,
 * nothing. SPECPI_ERROR_DIRECTORY: the directory cannot be used, or a file not be removed.
 */
specpi_result specpiCacheClearDirectory(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
