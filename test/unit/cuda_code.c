/*
 * The kinds of device images, the choice of the image that a device runs, and the names of
 * backends. The tests need no driver.
 */
#include "check.h"

#include "../../plugins/code/code_head.h"
#include "../../plugins/code/select_image.h"
#include "../../plugins/cuda/backend.h"
#include "../../plugins/cuda/device.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Reads a copy in an allocation of its size, so that a sanitizer finds reads past the end. */
static code_head read_copy(const void *bytes, size_t size) {
  unsigned char *copy = malloc(size ? size : 1);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  const code_head code = code_head_read(copy, size);
  free(copy);
  return code;
}

static void assert_code(const void *bytes, size_t size, const char *description) {
  const code_head code = read_copy(bytes, size);
  char text[64];
  code_head_describe(&code, text, sizeof text);
  assert_string_equal(text, description);
}

TEST(texts_are_recognised) {
  static const struct {
    const char *text;
    const char *description;
  } rows[] = {
      {".version 8.4\n.target sm_90\n", "PTX 8.4 for sm_90"},
      {"//\n// comment\n//\n\n.version 7.0 .target sm_52, debug", "PTX 7.0 for sm_52"},
      {"/* .version 1.0 */\t.version\n6.3/**/.target/**/sm_70", "PTX 6.3 for sm_70"},
      {".version 8.0\n.target sm_90a", "PTX 8.0 for sm_90a"},
      {".version 8.8\n.target sm_100f", "PTX 8.8 for sm_100f"},
      {".version 10.2 .target sm_121", "PTX 10.2 for sm_121"},
      {"", "empty"},
      {" ", "neither PTX nor a cubin"},
      {"/", "neither PTX nor a cubin"},
      {"/*", "neither PTX nor a cubin"},
      {"/*/", "neither PTX nor a cubin"},
      {"//", "neither PTX nor a cubin"},
      {".versio", "neither PTX nor a cubin"},
      {"; ModuleID = 'x'", "neither PTX nor a cubin"},
      {".target sm_90 .version 8.0", "neither PTX nor a cubin"},
      {".version", "damaged"},
      {".version 8", "damaged"},
      {".version 8.", "damaged"},
      {".version 8.11 .target sm_90", "damaged"},
      {".version 8888.0 .target sm_90", "damaged"},
      {".version 8.4", "damaged"},
      {".version 8.4 .targe", "damaged"},
      {".version 8.4 .target", "damaged"},
      {".version 8.4 .target sm_", "damaged"},
      {".version 8.4 .target compute_90", "damaged"},
      {".version 8.4 .target sm_99999999999999999999", "damaged"},
      {"\3\2\43\7", "SPIR-V"},
      {"\7\43\2\3", "SPIR-V"},
      {"BC\xc0\xde", "LLVM bitcode"},
      {"BC\xc0", "neither PTX nor a cubin"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_code(rows[i].text, strlen(rows[i].text), rows[i].description);
  /* NULL with a size, as in a damaged description. */
  assert_int_equal(code_head_read(NULL, 16).kind, CODE_IS_NOTHING);
}

static Elf64_Ehdr elf(unsigned char abi, unsigned flags) {
  Elf64_Ehdr header = {.e_type = ET_EXEC, .e_machine = EM_CUDA, .e_flags = flags};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_ABIVERSION] = abi;
  return header;
}

/* ptxas 12.4 and 13.0 write these flags. */
TEST(cubins_are_recognised) {
  static const struct {
    unsigned flags;
    unsigned char abi;
    const char *description;
  } rows[] = {
      {0x340534, 7, "a cubin for sm_52"},
      {0x5a055a, 7, "a cubin for sm_90"},
      {0x5a0d5a, 7, "a cubin for sm_90a"},
      {0x6004b04, 8, "a cubin for sm_75"},
      {0x6006402, 8, "a cubin for sm_100"},
      {0, 7, "damaged"},
      {0x6000002, 8, "damaged"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const Elf64_Ehdr header = elf(rows[i].abi, rows[i].flags);
    assert_code(&header, sizeof header, rows[i].description);
  }
  Elf64_Ehdr header = elf(7, 0x5a055a);
  for (size_t size = SELFMAG; size < sizeof header; size++)
    assert_code(&header, size, "damaged");
  for (size_t size = 1; size < SELFMAG; size++)
    assert_code(&header, size, "neither PTX nor a cubin");
  header.e_ident[EI_CLASS] = ELFCLASS32;
  assert_code(&header, sizeof header, "damaged");
  header = elf(7, 0x5a055a);
  header.e_ident[EI_DATA] = ELFDATA2MSB;
  assert_code(&header, sizeof header, "damaged");
  header = elf(7, 0x5a055a);
  header.e_machine = EM_X86_64;
  assert_code(&header, sizeof header, "an ELF file for another machine");
}

TEST(fat_binaries_are_recognised) {
  unsigned char bytes[24] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0, 8};
  assert_code(bytes, sizeof bytes, "a fat binary");
  for (size_t size = 4; size < sizeof bytes; size++)
    assert_code(bytes, size, "damaged");
  bytes[8] = 9;
  assert_code(bytes, sizeof bytes, "damaged");
  memset(bytes + 8, 0xff, 8);
  assert_code(bytes, sizeof bytes, "damaged");
  memset(bytes + 8, 0, 8);
  bytes[6] = 15;
  assert_code(bytes, sizeof bytes, "damaged");
  bytes[6] = 25;
  assert_code(bytes, sizeof bytes, "damaged");
}

TEST(better_suited_code_has_a_higher_rank) {
  const ptx_target target = {.capability = 86, .ptx_version = 75, .no_spirv = "the option says so"};
  /* From the best suited to the worst. */
  static const code_head order[] = {{CODE_IS_CUBIN, 86, 0, 0}, {CODE_IS_CUBIN, 80, 0, 0},
                                    {CODE_IS_PTX, 86, 0, 75},  {CODE_IS_PTX, 80, 'f', 74},
                                    {CODE_IS_PTX, 52, 0, 10},  {CODE_IS_FATBIN, 0, 0, 0}};
  for (size_t i = 1; i < sizeof order / sizeof order[0]; i++)
    assert_true(code_head_rank(&order[i - 1], &target) > code_head_rank(&order[i], &target));
  assert_true(code_head_rank(&order[5], &target) > 0);
  static const code_head never[] = {
      {CODE_IS_CUBIN, 89, 0, 0},   {CODE_IS_CUBIN, 75, 0, 0},   {CODE_IS_CUBIN, 80, 'a', 0},
      {CODE_IS_PTX, 87, 0, 75},    {CODE_IS_PTX, 86, 0, 76},    {CODE_IS_PTX, 80, 'a', 75},
      {CODE_IS_PTX, 75, 'f', 75},  {CODE_IS_NOTHING, 86, 0, 0}, {CODE_IS_UNKNOWN, 86, 0, 0},
      {CODE_IS_SPIRV, 86, 0, 0},   {CODE_IS_BITCODE, 86, 0, 0}, {CODE_IS_ELF, 86, 0, 0},
      {CODE_IS_DAMAGED, 86, 0, 75}};
  for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
    assert_int_equal(code_head_rank(&never[i], &target), 0);
  /* If a code generator exists, SPIR-V ranks between cubins and PTX. */
  const ptx_target generating = {.capability = 86, .ptx_version = 75};
  static const code_head spirv = {CODE_IS_SPIRV, 0, 0, 0};
  assert_true(code_head_rank(&spirv, &generating) < code_head_rank(&order[1], &generating));
  assert_true(code_head_rank(&spirv, &generating) > code_head_rank(&order[2], &generating));
}

TEST(each_cuda_version_has_a_ptx_version) {
  assert_int_equal(ptx_version_of_cuda(11040), 74);
  assert_int_equal(ptx_version_of_cuda(11080), 78);
  assert_int_equal(ptx_version_of_cuda(12000), 80);
  assert_int_equal(ptx_version_of_cuda(12040), 84);
  assert_int_equal(ptx_version_of_cuda(12060), 85);
  assert_int_equal(ptx_version_of_cuda(12090), 88);
  assert_int_equal(ptx_version_of_cuda(13000), 90);
  assert_int_equal(ptx_version_of_cuda(13030), 93);
  assert_int_equal(ptx_version_of_cuda(14010), 101);
}

/* Describes bytes as a device image. The description points to them. */
static pi_device_binary_struct image_of(const void *bytes, size_t size, const char *target) {
  return (pi_device_binary_struct){.Version = 2,
                                   .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
                                   .DeviceTargetSpec = target,
                                   .BinaryStart = bytes,
                                   .BinaryEnd = (const unsigned char *)bytes + size};
}

#define TEXT_IMAGE(text, target) image_of(text, strlen(text), target)

static struct pi_device_object a_device = {.driver = {.major = 8, .minor = 6}};

static int setup(void **state) {
  (void)state;
  object_init(&a_device.handle, OBJECT_DEVICE);
  cuda_driver_version = 12040;
  return 0;
}

TEST(the_best_image_is_selected) {
  const Elf64_Ehdr same = elf(7, 0x560556);
  const Elf64_Ehdr older = elf(7, 0x500550);
  const Elf64_Ehdr newer = elf(7, 0x590559);
  pi_device_binary_struct images[] = {
      TEXT_IMAGE("\3\2\43\7", PI_DEVICE_BINARY_TARGET_SPIRV64),
      TEXT_IMAGE("BC\xc0\xde", "llvm_nvptx64"),
      image_of(&newer, sizeof newer, PI_DEVICE_BINARY_TARGET_NVPTX64),
      TEXT_IMAGE(".version 8.0 .target sm_75", PI_DEVICE_BINARY_TARGET_NVPTX64),
      TEXT_IMAGE(".version 8.0 .target sm_80", PI_DEVICE_BINARY_TARGET_SPIRV64),
      TEXT_IMAGE(".version 8.0 .target sm_80", PI_DEVICE_BINARY_TARGET_NVPTX64),
      image_of(&older, sizeof older, PI_DEVICE_BINARY_TARGET_NVPTX64),
      image_of(&same, sizeof same, PI_DEVICE_BINARY_TARGET_UNKNOWN),
  };
  images[4].Format = PI_DEVICE_BINARY_TYPE_SPIRV;
  pi_device_binary list[8];
  for (size_t i = 0; i < 8; i++)
    list[i] = &images[i];
  static const pi_uint32 expected[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, 3, 4, 4, 6, 7};
  for (pi_uint32 count = 1; count <= 8; count++) {
    pi_uint32 index = 77;
    const pi_result result = piextDeviceSelectBinary(&a_device, list, count, &index);
    assert_int_equal(result, count <= 3 ? PI_ERROR_INVALID_BINARY : PI_SUCCESS);
    assert_int_equal(index, expected[count - 1]);
  }
}

/* SPIR-V is preferred to PTX if a code generator exists, and PTX is otherwise. */
TEST(a_generator_decides_between_spirv_and_ptx) {
  const Elf64_Ehdr same = elf(7, 0x560556);
  pi_device_binary_struct images[] = {
      TEXT_IMAGE(".version 8.0 .target sm_80", PI_DEVICE_BINARY_TARGET_SPIRV64),
      TEXT_IMAGE("\3\2\43\7", PI_DEVICE_BINARY_TARGET_SPIRV64),
      TEXT_IMAGE(".version 8.0 .target sm_86", PI_DEVICE_BINARY_TARGET_NVPTX64),
      image_of(&same, sizeof same, PI_DEVICE_BINARY_TARGET_NVPTX64),
  };
  pi_device_binary list[] = {&images[0], &images[1], &images[2], &images[3]};
  ptx_target target = {.capability = 86, .ptx_version = 84};
  static const pi_uint32 generating[] = {0, 1, 1, 3}, alone[] = {0, 0, 2, 3};
  for (pi_uint32 count = 1; count <= 4; count++) {
    pi_uint32 index = 77;
    target.no_spirv = NULL;
    assert_int_equal(select_ptx_image(list, count, &target, &index), PI_SUCCESS);
    assert_int_equal(index, generating[count - 1]);
    target.no_spirv = "the option says so";
    assert_int_equal(select_ptx_image(list, count, &target, &index), PI_SUCCESS);
    assert_int_equal(index, alone[count - 1]);
  }
}

#define PATCHED ".version 7.0 .target sm_80\n//!specpi 1 patch 1 1 4 0 0\n"
/* Some runtimes set constants only in images for spir64. For them, PTX with constants is selected
 * only if its target is named spir64. */
TEST(some_runtimes_need_the_name_spir64) {
  static const char patched[] = PATCHED "//!specpi end 0000000027 0000000082 0123456789abcdef\n";
  pi_device_binary_struct images[] = {
      TEXT_IMAGE(patched, PI_DEVICE_BINARY_TARGET_NVPTX64),
      TEXT_IMAGE(patched, PI_DEVICE_BINARY_TARGET_SPIRV64),
      TEXT_IMAGE(".version 7.0 .target sm_80", PI_DEVICE_BINARY_TARGET_NVPTX64),
  };
  pi_device_binary list[] = {&images[0], &images[1], &images[2]};
  ptx_target target = {.capability = 86, .ptx_version = 84, .no_spirv = "the option says so"};
  pi_uint32 index = 77;
  assert_int_equal(select_ptx_image(list, 1, &target, &index), PI_SUCCESS);
  target.sets_spir64_only = true;
  assert_failure(
      select_ptx_image(list, 1, &target, &index), PI_ERROR_INVALID_BINARY,
      "no image (of 1) is a cubin or PTX that runs on sm_86 with PTX up to 8.4: image 0 is "
      "PTX 7.0 for sm_80 without specpi-cc's --sycl-native, so that its constants would "
      "not be set");
  assert_int_equal(index, UINT32_MAX);
  assert_int_equal(select_ptx_image(list, 2, &target, &index), PI_SUCCESS);
  assert_int_equal(index, 1);
  /* Without constants the target's name does not matter. */
  assert_int_equal(select_ptx_image(list + 2, 1, &target, &index), PI_SUCCESS);
}

TEST(a_failed_selection_names_every_image) {
  pi_device_binary_struct images[4] = {
      TEXT_IMAGE("\3\2\43\7", PI_DEVICE_BINARY_TARGET_SPIRV64),
      TEXT_IMAGE(".version 8.5 .target sm_80", PI_DEVICE_BINARY_TARGET_NVPTX64),
      image_of(NULL, 0, PI_DEVICE_BINARY_TARGET_NVPTX64),
      TEXT_IMAGE(".version 8.4 .target sm_90", PI_DEVICE_BINARY_TARGET_NVPTX64),
  };
  pi_device_binary list[64] = {&images[0], &images[1], &images[2], &images[3]};
  pi_uint32 index = 77;
  /* CMakeLists.txt sets SPECPI_CODEGEN to a missing file and SPECPI_CUDA_BACKEND to a word. */
  assert_failure(
      piextDeviceSelectBinary(&a_device, list, 4, &index), PI_ERROR_INVALID_BINARY,
      cuda_backend_refuses_spirv()
          ? "no image (of 4) is a cubin or PTX that runs on sm_86 with PTX up to 8.4: image 0 is "
            "SPIR-V, "
            "image 1 is PTX 8.5 for sm_80, image 2 is empty, image 3 is PTX 8.4 for sm_90; SPIR-V "
            "is for a platform "
            "of another backend than cuda, which SPECPI_CUDA_BACKEND names: leave that unset, or "
            "start the program with specpi run --cuda"
          : "no image (of 4) is a cubin or PTX that runs on sm_86 with PTX up to 8.4: image 0 is "
            "SPIR-V, "
            "image 1 is PTX 8.5 for sm_80, image 2 is empty, image 3 is PTX 8.4 for sm_90; SPIR-V "
            "takes a code "
            "generator, and SPECPI_CODEGEN is /nonexistent: No such file or directory: install "
            "specpi-codegen, or compile with specpi-cc --target=spir64,nvptx64");
  assert_int_equal(index, UINT32_MAX);
  /* Impossible pointers to the start and the end. */
  const unsigned char byte = '.';
  images[0].BinaryStart = &byte;
  images[0].BinaryEnd = NULL;
  images[1].BinaryStart = NULL;
  images[1].BinaryEnd = &byte;
  images[3].BinaryStart = images[3].BinaryEnd = &byte;
  assert_failure(
      piextDeviceSelectBinary(&a_device, list, 4, &index), PI_ERROR_INVALID_BINARY,
      "no image (of 4) is a cubin or PTX that runs on sm_86 with PTX up to 8.4: image 0 is "
      "empty, image 1 is empty, image 2 is empty, image 3 is empty");
  images[0] = TEXT_IMAGE(".version 8.4 .target sm_80", PI_DEVICE_BINARY_TARGET_AMDGCN);
  images[1] = TEXT_IMAGE(".version 8.4 .target sm_80", NULL);
  assert_failure(
      piextDeviceSelectBinary(&a_device, list, 2, &index), PI_ERROR_INVALID_BINARY,
      "no image (of 2) is a cubin or PTX that runs on sm_86 with PTX up to 8.4: image 0 is "
      "for amdgcn, image 1 is for no target");
  /* More images than fit into the message. */
  for (size_t i = 0; i < 64; i++)
    list[i] = &images[2];
  assert_int_equal(piextDeviceSelectBinary(&a_device, list, 64, &index), PI_ERROR_INVALID_BINARY);
}

TEST(bad_arguments_of_a_selection_are_refused) {
  pi_device_binary_struct image = TEXT_IMAGE(".version 8.0 .target sm_75", "nvptx64");
  pi_device_binary list[] = {&image, NULL};
  pi_uint32 index = 77;
  assert_failure(piextDeviceSelectBinary(NULL, list, 1, &index), PI_ERROR_INVALID_DEVICE,
                 "device is NULL");
  assert_failure(piextDeviceSelectBinary((pi_device)&image, list, 1, &index),
                 PI_ERROR_INVALID_DEVICE, "device is not a live handle");
  assert_failure(piextDeviceSelectBinary(&a_device, NULL, 1, &index), PI_ERROR_INVALID_VALUE,
                 "binaries is NULL");
  assert_failure(piextDeviceSelectBinary(&a_device, list, 0, &index), PI_ERROR_INVALID_VALUE,
                 "num_binaries is 0");
  assert_failure(piextDeviceSelectBinary(&a_device, list, 2, &index), PI_ERROR_INVALID_VALUE,
                 "binaries[1] is NULL");
  assert_failure(piextDeviceSelectBinary(&a_device, list, 1, NULL), PI_ERROR_INVALID_VALUE,
                 "selected_binary_ind is NULL");
  assert_int_equal(index, 77);
}

TEST(backends_are_found_by_name) {
  assert_int_equal(cuda_backend_find(NULL)->backend, PI_EXT_PLATFORM_BACKEND_CUDA);
  assert_int_equal(cuda_backend_find("cuda")->backend, PI_EXT_PLATFORM_BACKEND_CUDA);
  assert_int_equal(cuda_backend_find("opencl")->backend, PI_EXT_PLATFORM_BACKEND_OPENCL);
  assert_int_equal(cuda_backend_find("level_zero")->backend, PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO);
  assert_null(cuda_backend_find(""));
  assert_null(cuda_backend_find("CUDA"));
  assert_null(cuda_backend_find("opencl "));
  assert_null(cuda_backend_find("level"));
  /* Runtimes look for these words in the platform's name and version. */
  char text[64];
  const cuda_backend_entry *opencl = cuda_backend_find("opencl");
  assert_null(strstr(opencl->name, "NVIDIA CUDA"));
  cuda_backend_version(opencl, 12040, text, sizeof text);
  assert_string_equal(text, "OpenCL 3.0 CUDA 12.4");
  cuda_backend_version(cuda_backend_find("cuda"), 13010, text, sizeof text);
  assert_string_equal(text, "CUDA 13.1");
}

/* CMakeLists.txt runs this program with several values of SPECPI_CUDA_BACKEND. */
TEST(the_environment_chooses_the_backend) {
  const char *word = getenv("SPECPI_CUDA_BACKEND");
  const cuda_backend_entry *found = cuda_backend_find(word);
  assert_ptr_equal(cuda_backend_chosen(), found ? found : cuda_backend_find("cuda"));
  if (found)
    assert_null(cuda_backend_refused());
  else
    assert_string_equal(cuda_backend_refused(), word);
}

int main(void) {
  return tests_run(setup, NULL);
}
