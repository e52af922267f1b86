#include "stub.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

stub_state stub;
struct pi_context_object stub_context;
static struct pi_device_object device;
static pi_device devices[] = {&device};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A module is the loaded code; a function is a kernel's declaration in it. */
typedef struct stub_module {
  char *text;
  code_info *info;
} stub_module;

/* A link keeps the texts that it was passed; its cubin is an ELF file with them in a section. */
typedef struct stub_link {
  char *error_log;
  unsigned char *cubin;
  size_t size;
} stub_link;

static CUresult called(bool may_be_ignored) {
  CUresult code = CUDA_SUCCESS;
  pthread_mutex_lock(&lock);
  if (stub.fail != 0 && --stub.fail == 0) {
    stub.failed = true;
    stub.ignorable = may_be_ignored;
    code = CUDA_ERROR_OUT_OF_MEMORY;
  }
  pthread_mutex_unlock(&lock);
  return code;
}

#define CALLED()                                                                                   \
  do {                                                                                             \
    const CUresult called_code = called(false);                                                    \
    if (called_code != CUDA_SUCCESS)                                                               \
      return called_code;                                                                          \
  } while (0)

static void count(unsigned *number) {
  pthread_mutex_lock(&lock);
  ++*number;
  pthread_mutex_unlock(&lock);
}

static void add(int *number, int change) {
  pthread_mutex_lock(&lock);
  *number += change;
  pthread_mutex_unlock(&lock);
}

/* ---- Contexts ---- */

static CUresult get_current(CUcontext *context) {
  const CUresult code = called(true);
  if (code != CUDA_SUCCESS)
    return code;
  *context = stub_context.driver.context;
  return CUDA_SUCCESS;
}

static CUresult synchronize(void) {
  count(&stub.syncs);
  return CUDA_SUCCESS;
}

static CUresult get_name(CUresult code, const char **text) {
  *text = code == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_STUB";
  return CUDA_SUCCESS;
}

/* ---- Options ---- */

/* Records the options; returns the buffer that they name for the log. */
static char *take_options(unsigned option_count, const CUjit_option *names, void **values) {
  char *error = NULL;
  size_t room = 0;
  stub.level = stub.registers = stub.line_info = stub.debug_info = stub.verbose = -1;
  for (unsigned i = 0; i < option_count; i++) {
    const long value = (long)(intptr_t)values[i];
    switch ((int)names[i]) {
    case CU_JIT_OPTIMIZATION_LEVEL:
      stub.level = value;
      break;
    case CU_JIT_MAX_REGISTERS:
      stub.registers = value;
      break;
    case CU_JIT_GENERATE_LINE_INFO:
      stub.line_info = value;
      break;
    case CU_JIT_GENERATE_DEBUG_INFO:
      stub.debug_info = value;
      break;
    case CU_JIT_LOG_VERBOSE:
      stub.verbose = value;
      break;
    case CU_JIT_ERROR_LOG_BUFFER:
      error = values[i];
      break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
      room = (size_t)value;
      break;
    default:
      break;
    }
  }
  if (error && stub.log && room > strlen(stub.log))
    memcpy(error, stub.log, strlen(stub.log) + 1);
  return error;
}

/* ---- Modules ---- */

/* Returns the text in code: code itself, or the text in a cubin of this driver. */
static const char *text_of(const void *code) {
  return memcmp(code, ELFMAG, SELFMAG) == 0
             ? (const char *)code + sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Shdr)
             : code;
}

static void free_module(stub_module *module) {
  free(module->text);
  code_release(module->info);
  free(module);
}

static stub_module *new_module(const char *text) {
  stub_module *module = calloc(1, sizeof *module);
  if (!module)
    return NULL;
  module->text = malloc(strlen(text) + 1);
  module->info = code_new();
  if (!module->text || !module->info ||
      ptx_read_kernels(text, strlen(text), module->info) != PI_SUCCESS) {
    free_module(module);
    return NULL;
  }
  memcpy(module->text, text, strlen(text) + 1);
  code_sort(module->info);
  return module;
}

static CUresult load(CUmodule *ret, const void *code, unsigned option_count, CUjit_option *names,
                     void **values) {
  CALLED();
  const char *text = text_of(code);
  pthread_mutex_lock(&lock);
  take_options(option_count, names, values);
  stub.loads++;
  assert_true(strlen(text) < sizeof stub.text);
  memcpy(stub.text, text, strlen(text) + 1);
  const CUresult result = stub.load_code;
  pthread_mutex_unlock(&lock);
  if (result != CUDA_SUCCESS)
    return result;
  stub_module *module = new_module(text);
  if (!module)
    return CUDA_ERROR_OUT_OF_MEMORY;
  add(&stub.modules, 1);
  *ret = (CUmodule)(void *)module;
  return CUDA_SUCCESS;
}

static CUresult unload(CUmodule module) {
  free_module((stub_module *)(void *)module);
  add(&stub.modules, -1);
  return CUDA_SUCCESS;
}

static CUresult get_function(CUfunction *ret, CUmodule module, const char *name) {
  CALLED();
  code_kernel *kernel = code_find(((stub_module *)(void *)module)->info, name);
  if (!kernel)
    return CUDA_ERROR_NOT_FOUND;
  *ret = (CUfunction)(void *)kernel;
  return CUDA_SUCCESS;
}

static CUresult get_attribute(int *ret, CUfunction_attribute attribute, CUfunction function) {
  CALLED();
  (void)function;
  *ret = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? stub.max_threads
         : attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES   ? stub.static_shared
                                                              : 17;
  return CUDA_SUCCESS;
}

static CUresult set_attribute(CUfunction function, CUfunction_attribute attribute, int value) {
  CALLED();
  (void)function;
  assert_int_equal(attribute, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  count(&stub.set_attributes);
  stub.set_dynamic = value;
  return stub.set_attribute_code;
}

static CUresult potential(int *grid, int *block, CUfunction function, CUoccupancyB2DSize size,
                          size_t dynamic, int limit) {
  CALLED();
  (void)function, (void)size, (void)dynamic, (void)limit;
  count(&stub.occupancies);
  *grid = 132;
  *block = stub.preferred;
  return CUDA_SUCCESS;
}

static CUresult active(int *blocks, CUfunction function, int threads, size_t dynamic) {
  CALLED();
  (void)function, (void)dynamic;
  *blocks = 2048 / threads;
  return CUDA_SUCCESS;
}

/* ---- Links ---- */

static CUresult link_create(unsigned option_count, CUjit_option *names, void **values,
                            CUlinkState *ret) {
  CALLED();
  stub_link *link = calloc(1, sizeof *link);
  if (!link)
    return CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_lock(&lock);
  link->error_log = take_options(option_count, names, values);
  stub.links++;
  stub.input_count = 0;
  stub.open_links++;
  pthread_mutex_unlock(&lock);
  if (link->error_log && stub.link_code == CUDA_SUCCESS)
    link->error_log[0] = '\0';
  *ret = (CUlinkState)(void *)link;
  return CUDA_SUCCESS;
}

static CUresult link_add(CUlinkState state, CUjitInputType type, void *data, size_t size,
                         const char *name, unsigned option_count, CUjit_option *names,
                         void **values) {
  CALLED();
  (void)name, (void)option_count, (void)names, (void)values;
  stub_link *link = (stub_link *)(void *)state;
  const char *text = text_of(data);
  if (type == CU_JIT_INPUT_PTX)
    assert_int_equal(((const char *)data)[size - 1], 0);
  pthread_mutex_lock(&lock);
  assert_true(stub.input_count < STUB_INPUTS_MAX && strlen(text) < STUB_TEXT_MAX);
  stub.input_types[stub.input_count] = type;
  memcpy(stub.inputs[stub.input_count++], text, strlen(text) + 1);
  pthread_mutex_unlock(&lock);
  const size_t header = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Shdr);
  const size_t old = link->cubin ? link->size - header - 1 : 0;
  unsigned char *cubin = calloc(1, header + old + strlen(text) + 1);
  if (!cubin)
    return CUDA_ERROR_OUT_OF_MEMORY;
  if (link->cubin)
    memcpy(cubin + header, link->cubin + header, old);
  memcpy(cubin + header + old, text, strlen(text) + 1);
  free(link->cubin);
  link->cubin = cubin;
  link->size = header + old + strlen(text) + 1;
  return CUDA_SUCCESS;
}

static CUresult link_complete(CUlinkState state, void **cubin, size_t *size) {
  CALLED();
  stub_link *link = (stub_link *)(void *)state;
  if (stub.link_code != CUDA_SUCCESS)
    return stub.link_code;
  Elf64_Ehdr header = {.e_type = ET_EXEC,
                       .e_machine = 190,
                       .e_version = 1,
                       .e_flags = 0x5a055a,
                       .e_ehsize = sizeof header,
                       .e_shoff = sizeof header,
                       .e_shentsize = sizeof(Elf64_Shdr),
                       .e_shnum = 2};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = 1;
  const Elf64_Shdr section = {.sh_type = SHT_PROGBITS,
                              .sh_offset = sizeof header + 2 * sizeof section,
                              .sh_size = link->size - sizeof header - 2 * sizeof section};
  memcpy(link->cubin, &header, sizeof header);
  memcpy(link->cubin + sizeof header + sizeof section, &section, sizeof section);
  *cubin = link->cubin;
  *size = link->size;
  return CUDA_SUCCESS;
}

static CUresult link_destroy(CUlinkState state) {
  stub_link *link = (stub_link *)(void *)state;
  free(link->cubin);
  free(link);
  add(&stub.open_links, -1);
  return CUDA_SUCCESS;
}

/* ---- Memory ---- */

static CUresult allocate(CUdeviceptr *ret, size_t size) {
  CALLED();
  void *memory = malloc(size);
  if (!memory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  count(&stub.allocations);
  add(&stub.memory, 1);
  *ret = (CUdeviceptr)(uintptr_t)memory;
  return CUDA_SUCCESS;
}

static CUresult release(CUdeviceptr pointer) {
  free((void *)(uintptr_t)pointer);
  add(&stub.memory, -1);
  return CUDA_SUCCESS;
}

static CUresult synchronize_stream(CUstream stream) {
  CALLED();
  (void)stream;
  return CUDA_SUCCESS;
}

static CUresult copy(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
  CALLED();
  (void)stream;
  pthread_mutex_lock(&lock);
  assert_true(size <= sizeof stub.copied);
  memcpy(stub.copied, from, size);
  stub.copied_size = size;
  stub.copied_to = to;
  stub.copies++;
  pthread_mutex_unlock(&lock);
  memcpy((void *)(uintptr_t)to, from, size);
  return CUDA_SUCCESS;
}

/* ---- Tests ---- */

int stub_start(void **state) {
  (void)state;
  stub = (stub_state){.max_threads = 1024, .preferred = 1024};
  device = (struct pi_device_object){.driver = {.max_threads = 1024,
                                                .max_block_x = 1024,
                                                .max_block_y = 1024,
                                                .max_block_z = 64,
                                                .max_grid_x = INT32_MAX,
                                                .max_grid_y = 65535,
                                                .max_grid_z = 65535,
                                                .max_shared = 49152,
                                                .max_shared_optin = 232448,
                                                .multiprocessors = 132,
                                                .warp_size = 32,
                                                .major = 9}};
  object_init(&device.handle, OBJECT_DEVICE);
  memset(&stub_context, 0, sizeof stub_context);
  object_init(&stub_context.handle, OBJECT_CONTEXT);
  stub_context.device_count = stub_context.root_count = 1;
  stub_context.roots = devices;
  stub_context.devices = devices;
  stub_context.driver.clock = &stub_context.driver.own_clock;
  stub_context.driver.context = (CUcontext)(void *)&stub_context;
  stub_context.native = (pi_native_handle)(void *)&stub_context;
  cu = (cuda_driver){.CtxGetCurrent = get_current,
                     .CtxSynchronize = synchronize,
                     .GetErrorName = get_name,
                     .GetErrorString = get_name,
                     .ModuleLoadDataEx = load,
                     .ModuleUnload = unload,
                     .ModuleGetFunction = get_function,
                     .FuncGetAttribute = get_attribute,
                     .FuncSetAttribute = set_attribute,
                     .OccupancyMaxPotentialBlockSize = potential,
                     .OccupancyMaxActiveBlocksPerMultiprocessor = active,
                     .LinkCreate = link_create,
                     .LinkAddData = link_add,
                     .LinkComplete = link_complete,
                     .LinkDestroy = link_destroy,
                     .MemAlloc = allocate,
                     .MemFree = release,
                     .MemcpyHtoDAsync = copy,
                     .StreamSynchronize = synchronize_stream};
  cuda_driver_version = 12040;
  return 0;
}

int stub_end(void **state) {
  (void)state;
  assert_int_equal(stub.modules, 0);
  assert_int_equal(stub.memory, 0);
  assert_int_equal(stub.open_links, 0);
  assert_int_equal(object_references(&stub_context.handle), 1);
  return 0;
}

char *stub_image(const char *text, const char *lines, size_t *size) {
  const size_t room = strlen(text) + (lines ? strlen(lines) : 0) + 54;
  char *image = malloc(room);
  assert_non_null(image);
  int length = snprintf(image, room, "%s", text);
  if (lines) {
    length = snprintf(image, room, "%s%s//!specpi end %010zu %010zu ", text, lines, strlen(text),
                      strlen(lines) + 53);
    length += snprintf(image + length, room - (size_t)length, "%016llx\n",
                       (unsigned long long)ptx_image_hash(image, (size_t)length));
  }
  /* The block has exactly the image's size, so that a read past its end is found. */
  *size = (size_t)length;
  char *exact = malloc(*size);
  assert_non_null(exact);
  memcpy(exact, image, *size);
  free(image);
  return exact;
}

pi_program stub_program(const char *text, const char *lines) {
  size_t size;
  char *image = stub_image(text, lines, &size);
  pi_program program = NULL;
  assert_success(piProgramCreate(&stub_context, image, size, &program));
  memset(image, 0xcd, size);
  free(image);
  return program;
}

pi_program stub_built(const char *text, const char *lines) {
  const pi_program program = stub_program(text, lines);
  assert_success(piProgramBuild(program, 0, NULL, NULL, NULL, NULL));
  return program;
}

pi_kernel stub_kernel(pi_program program, const char *name) {
  pi_kernel kernel = NULL;
  assert_success(piKernelCreate(program, name, &kernel));
  return kernel;
}
