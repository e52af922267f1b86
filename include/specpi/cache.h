/*
 * The program cache, so that each program is built only once. Part of specpi.h, which includes
 * this file; docs/internals/cache.md says more.
 *
 * The key of a program has everything that determines its code: the image's content, the device
 * with its driver's version, the build options, and the value of each constant that is set.
 * Programs are kept in memory for this process and, if there is a directory, on disk for later
 * ones. specpiBundleBuild and specpiBundleGetKernel use the cache.
 *
 * The directory is specpi below XDG_CACHE_HOME, or else ~/.cache/specpi, unless another is named.
 *
 *   SPECPI_CACHE_DIR=/fast/disk/specpi      names another one; set to nothing: no directory.
 *   A process that runs with more rights than its user has no directory, whatever the environment
 *   says. If the directory cannot be used, one line on stderr gives the reason, and programs are
 *   built without it. There is no such line for a home that is missing, read-only or full.
 */
#ifndef SPECPI_CACHE_PUBLIC_H
#define SPECPI_CACHE_PUBLIC_H

#include <specpi/specpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * Returns a kernel of an input bundle, ready to launch, with the bundle's values, of which values
 * replaces count. The kernel comes from the cache, or is built now. The bundle is not changed. Any
 * number of threads may ask for the same or for different values; if several ask for the same
 * kernel at the same time, it is built once. *kernel is a new reference. Other callers may share
 * the kernel; all may launch it.
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

/*
 * The limits of the cache. If they are exceeded, the least recently used programs are dropped
 * first. /
 */
typedef struct specpi_cache_limits {
  size_t programs;          /* number of programs in memory; 0: none are kept there */
  size_t bytes;             /* bytes of their code (or else their images) and their keys */
  uint64_t directory_bytes; /* bytes of all files, each rounded up to blocks of 4096 */
  uint64_t file_bytes;      /* bytes of one file: larger ones are neither written nor read */
} specpi_cache_limits;

/* The default limits. */
#define SPECPI_CACHE_PROGRAMS 512
#define SPECPI_CACHE_BYTES ((size_t)256 << 20)
#define SPECPI_CACHE_DIRECTORY_BYTES ((uint64_t)1 << 30)
#define SPECPI_CACHE_FILE_BYTES ((uint64_t)64 << 20)

/*
 * Sets the limits; NULL restores the defaults. Programs in memory beyond the limits are dropped
 * now, files when the next one is written. Kernels and bundles that a caller holds are not
 * affected. Always SPECPI_SUCCESS.
 */
specpi_result specpiCacheSetLimits(const specpi_cache_limits *limits);
/* SPECPI_ERROR_INVALID_ARGUMENT: limits is NULL. */
specpi_result specpiCacheGetLimits(specpi_cache_limits *limits);

/*
 * Sets the directory in which programs are kept for later processes, in place of the environment's;
 * NULL: none. Missing directories of the path are made, with mode 0700. Everybody who can write in
 * the directory can make programs run their code, so only the user may have access. Processes that
 * share a directory build a program once: one builds, and the others wait for it, at most 30
 * seconds.
 *
 * SPECPI_ERROR_DIRECTORY: the path is not absolute or too long; or the directory cannot be made or
 * opened, is a symbolic link, belongs to another user, or gives others access; or a directory above
 * it belongs to neither root nor the user, or lets others rename its entries. The setting is then
 * unchanged.
 */
specpi_result specpiCacheSetDirectory(const char *directory);

/* The directory and its content. Hits and writes count those of all processes since it was cleared.
 */
typedef struct specpi_cache_directory {
  char path[4096]; /* empty when there is none */
  uint64_t files;
  uint64_t bytes; /* of these files, each rounded up to blocks of 4096 */
  uint64_t hits;
  uint64_t writes;
} specpi_cache_directory;

/*
 * Describes the directory. This is slow, because it lists all files. CUDA's plugin keeps its files
 * there as well, unless specpiCacheSetDirectory set the directory.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: directory is NULL. SPECPI_ERROR_DIRECTORY: the environment's
 * directory or its files cannot be used; the message has the reason, and path the directory.
 */
specpi_result specpiCacheGetDirectory(specpi_cache_directory *directory);

/*
 * X(name, text): statistics since the process began; "now" in a text means at the call. An image
 * that reads its constants from a buffer counts as one program, and as one more for each set of
 * values.
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
 * Drops all programs in memory. Programs that are being built are returned to their callers, but
 * not kept. Files stay. Always SPECPI_SUCCESS.
 */
specpi_result specpiCacheClear(void);

/*
 * Removes all files of the cache, and no others, from its directory, if there is one.
 * SPECPI_ERROR_DIRECTORY: the directory cannot be used, or a file cannot be removed.
 */
specpi_result specpiCacheClearDirectory(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
