/* CUDA images: memory from streams, arrays of the application, a kernel's view of an image. */
#include "../plugins/image.h"
#include "world.h"

#include "../../plugins/cuda/image.h"

/* Stream-ordered memory, which the fake driver lacks; freed once nothing uses it any more. */
static CUdeviceptr given_back[512];
static size_t taken, returned;
static CUresult pool_failure;
static PFN_cuDeviceGetAttribute_v2000 real_attribute;

static CUresult CUDAAPI take_from_pool(CUdeviceptr *pointer, size_t size, CUstream stream) {
  (void)stream;
  if (pool_failure != CUDA_SUCCESS)
    return pool_failure;
  taken++;
  return cu.MemAlloc(pointer, size);
}

static CUresult CUDAAPI give_to_pool(CUdeviceptr pointer, CUstream stream) {
  (void)stream;
  assert_true(returned < sizeof given_back / sizeof given_back[0]);
  given_back[returned++] = pointer;
  return CUDA_SUCCESS;
}

static CUresult CUDAAPI has_pools(int *value, CUdevice_attribute attribute, CUdevice device) {
  if (attribute != CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)
    return real_attribute(value, attribute, device);
  *value = 1;
  return CUDA_SUCCESS;
}

WORLD_TEST(fills_use_the_driver_s_pool) {
  const cuda_driver before = cu;
  const int32_t numbers[4] = {1, 20, 300, 4000};
  real_attribute = cu.DeviceGetAttribute;
  cu.DeviceGetAttribute = has_pools;
  cu.MemAllocAsync = take_from_pool;
  cu.MemFreeAsync = give_to_pool;
  for (size_t i = 0; i < shape_count(); i++)
    fill_and_check(&rgba32, &shapes[i], numbers);
  assert_int_equal(taken, shape_count());
  assert_int_equal(returned, taken);

  /* A fill that fails to start takes no memory; one that fails later has returned its memory. */
  const pi_mem image = new_shape(&rgba32, &shapes[1]);
  const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  pi_event event = untouched;
  pool_failure = CUDA_ERROR_OUT_OF_MEMORY;
  fails(PI_ERROR_OUT_OF_RESOURCES,
        piEnqueueMemImageFill(w.queue, image, numbers, zero, one, 0, NULL, &event));
  pool_failure = CUDA_SUCCESS;
  fake_cuda_fail("cuMemcpy2DAsync", 1, CUDA_ERROR_OUT_OF_MEMORY);
  fails(PI_ERROR_OUT_OF_RESOURCES,
        piEnqueueMemImageFill(w.queue, image, numbers, zero, one, 0, NULL, &event));
  assert_ptr_equal(event, untouched);
  assert_int_equal(returned, taken);
  must(piQueueFinish(w.queue));
  must(piMemRelease(image));
  cu = before;
  for (size_t i = 0; i < returned; i++)
    driver(cu.MemFree(given_back[i]));
}

/* An array of the application: kept, taken over, or refused. */
WORLD_TEST(native_arrays_are_kept_or_taken_over) {
  CUarray array = NULL;
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {.Width = 5,
                                        .Height = 6,
                                        .Depth = 7,
                                        .Format = CU_AD_FORMAT_SIGNED_INT8,
                                        .NumChannels = 2,
                                        .Flags = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST};
  const pi_image_format snorm = {PI_IMAGE_CHANNEL_ORDER_RG, PI_IMAGE_CHANNEL_TYPE_SNORM_INT8};
  pi_mem image = NULL;
  pi_image_format format;
  driver(cu.Array3DCreate(&array, &descriptor));
  fails(PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        piextMemImageCreateWithNativeHandle((pi_native_handle)array, w.context, true, &rgba32, NULL,
                                            &image));
  for (int owned = 0; owned < 2; owned++) {
    must(piextMemImageCreateWithNativeHandle((pi_native_handle)array, w.context, owned,
                                             owned ? &snorm : NULL, NULL, &image));
    must(piMemImageGetInfo(image, PI_IMAGE_INFO_FORMAT, sizeof format, &format, NULL));
    assert_int_equal(format.image_channel_data_type,
                     owned ? PI_IMAGE_CHANNEL_TYPE_SNORM_INT8 : PI_IMAGE_CHANNEL_TYPE_SIGNED_INT8);
    expect_size(image, PI_IMAGE_INFO_HEIGHT, 6);
    must(piMemRelease(image));
  }
  descriptor.Flags = CUDA_ARRAY3D_LAYERED;
  driver(cu.Array3DCreate(&array, &descriptor));
  fails(PI_ERROR_INVALID_MEM_OBJECT,
        piextMemImageCreateWithNativeHandle((pi_native_handle)array, w.context, true, NULL, NULL,
                                            &image));
  driver(cu.ArrayDestroy(array));
  fails(PI_ERROR_INVALID_MEM_OBJECT,
        piextMemImageCreateWithNativeHandle(0, w.context, true, NULL, NULL, &image));
}

static const char surface_code[] =
    ".version 7.4\n.target sm_70\n.address_size 64\n"
    ".visible .entry swap(.param .u64 from, .param .u64 to) {\n"
    ".reg .b32 %r<10>; .reg .b64 %rd<3>;\n"
    "ld.param.u64 %rd1, [from];\n"
    "ld.param.u64 %rd2, [to];\n"
    "mov.u32 %r1, %tid.x;\n"
    "mov.u32 %r2, %tid.y;\n"
    "shl.b32 %r3, %r1, 4;\n"
    "suld.b.2d.v4.b32.trap {%r4, %r5, %r6, %r7}, [%rd1, {%r3, %r2}];\n"
    "add.u32 %r4, %r4, 1;\n"
    "sust.b.2d.v4.b32.trap [%rd2, {%r3, %r2}], {%r7, %r6, %r5, %r4};\n"
    "ret;\n}\n";

WORLD_TEST(kernels_get_surfaces) {
  uint32_t data[128], got[128];
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_mem images[2] = {new_image(&rgba32, &desc), new_image(&rgba32, &desc)};
  for (uint32_t i = 0; i < 128; i++)
    data[i] = 3 * i;
  must(try_write(images[0], at(0, 0, 0), sized(8, 4, 1), 0, 0, data));
  CUmodule module = NULL;
  CUfunction function = NULL;
  driver(cu.ModuleLoadDataEx(&module, surface_code, 0, NULL, NULL));
  driver(cu.ModuleGetFunction(&function, module, "swap"));
  uint64_t surfaces[2] = {images[0]->driver.surface, images[1]->driver.surface};
  void *parameters[2] = {&surfaces[0], &surfaces[1]};
  driver(cu.LaunchKernel(function, 1, 1, 1, 8, 4, 1, 0, NULL, parameters, NULL));
  driver(cu.CtxSynchronize());
  must(try_read(images[1], at(0, 0, 0), sized(8, 4, 1), 0, 0, got));
  for (uint32_t i = 0; i < 128; i += 4) {
    assert_int_equal(got[i + 3], data[i] + 1);
    for (uint32_t k = 0; k < 3; k++)
      assert_int_equal(got[i + k], data[i + 3 - k]);
  }
  driver(cu.ModuleUnload(module));
  must(piMemRelease(images[0]));
  must(piMemRelease(images[1]));
}
