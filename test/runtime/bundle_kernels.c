/* Bundles of several kernels over the CUDA plugin, which builds kernels one by one. */
#include "support.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>

enum { KERNELS = 2, ROUNDS = 4, THREADS = 4 };

/* Opens a module of the code generator's tests as an input bundle. */
static specpi_bundle open_module(const char *name) {
  char path[4096];
  specpi_image_file file;
  specpi_image image;
  specpi_bundle input;
  size_t count;
  snprintf(path, sizeof path, "%s/%s", CODEGEN_MODULES, name);
  must(specpiImageFileOpen(path, &file));
  must(specpiImageFileGetImages(file, 1, &image, &count));
  must(specpiBundleCreate(support_device(), 1, &image, &input));
  specpiImageFileRelease(file);
  return input;
}

/* Returns the number of kernels that the fake driver has linked. */
static unsigned long links(void) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  assert_non_null(driver);
  unsigned long (*calls)(const char *) = NULL;
  *(void **)(void *)&calls = dlsym(driver, "fake_cuda_calls");
  assert_non_null(calls);
  const unsigned long count = calls("cuLinkComplete");
  dlclose(driver);
  return count;
}

static size_t count_threads(void) {
  size_t count = 0;
  DIR *tasks = opendir("/proc/self/task");
  assert_non_null(tasks);
  while (readdir(tasks))
    count++;
  closedir(tasks);
  return count;
}

static void set_seven(specpi_bundle input, int value) {
  must(specpiBundleSet(input, "7", sizeof value, &value));
}

static void get_kernels(specpi_bundle executable) {
  static const char *const names[KERNELS] = {"first", "second"};
  for (size_t i = 0; i < KERNELS; i++) {
    specpi_kernel kernel;
    must(specpiKernelCreate(executable, names[i], &kernel));
    specpiKernelRelease(kernel);
  }
}

/* The build starts threads, and leaves none of them and no child. */
TEST(one_build_builds_all_kernels) {
  specpi_bundle executable;
  const specpi_bundle input = open_module("apart.spv");
  size_t threads = 0;
  for (int i = 0; i < ROUNDS; i++) {
    set_seven(input, 100 + i);
    const unsigned long before = i == 0 ? 0 : links();
    must(specpiBundleBuild(input, NULL, &executable));
    assert_int_equal(links(), before + KERNELS);
    assert_int_equal(i == 0 ? count_threads() : threads, count_threads());
    threads = count_threads();
    get_kernels(executable);
    assert_int_equal(links(), before + KERNELS);
    specpiBundleRelease(executable);
  }
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
  specpiBundleRelease(input);
}

/* Whichever thread builds the kernel, the caller gets the message about it. */
TEST(a_refused_kernel_fails_the_build) {
  specpi_bundle none = NULL;
  const specpi_bundle input = open_module("apart-REFUSED.spv");
  for (int i = 0; i < ROUNDS; i++) {
    assert_error(specpiBundleBuild(input, NULL, &none), SPECPI_ERROR_BUILD_FAILED, "printf");
    assert_error(specpiBundleBuild(input, NULL, &none), SPECPI_ERROR_BUILD_FAILED, "\"refused\"");
    assert_null(none);
  }
  specpiBundleRelease(input);
}

typedef struct builder {
  pthread_t thread;
  specpi_bundle input, executable;
  specpi_result result;
} builder;

static void *build_other(void *data) {
  builder *builder = data;
  builder->result = specpiBundleBuild(builder->input, NULL, &builder->executable);
  return NULL;
}

TEST(threads_may_build_at_the_same_time) {
  builder builders[THREADS];
  const unsigned long before = links();
  for (int i = 0; i < THREADS; i++) {
    builder *one = &builders[i];
    one->input = open_module("apart.spv");
    set_seven(one->input, 200 + i / 2); /* two threads build with the same value */
    assert_int_equal(pthread_create(&one->thread, NULL, build_other, one), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    const builder *one = &builders[i];
    assert_int_equal(pthread_join(one->thread, NULL), 0);
    must(one->result);
    get_kernels(one->executable);
    specpiBundleRelease(one->executable);
    specpiBundleRelease(one->input);
  }
  assert_int_equal(links(), before + KERNELS * THREADS / 2);
}
