/* Arrays, mipmapped arrays, textures and surfaces, as kernels see them. */
#include "code.h"

/*
 * Kernels. read(texture, at, out) samples at at[thread], two floats, and writes four floats. fetch
 * does the same at integer coordinates, and writes four words. level has a level of detail. load
 * and store access words of a surface.
 */
#define BEGIN(name, parameters)                                                                    \
  ".visible .entry " name "(.param .u64 object, .param .u64 at, .param .u64 out)\n"                \
  "{ .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>; .reg .u64 %t;\n"                          \
  "  ld.param.u64 %t, [object]; ld.param.u64 %rd1, [at]; ld.param.u64 %rd2, [out];\n"              \
  "  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 16; add.u64 %rd1, %rd1, %rd3;\n"                 \
  "  add.u64 %rd2, %rd2, %rd3;\n" parameters

static const char code[] = HEAD BEGIN("read1",
                                      "ld.global.f32 %f1, [%rd1];\n"
                                      "tex.1d.v4.f32.f32 {%f5,%f6,%f7,%f8}, [%t, {%f1}];\n"
                                      "st.global.v4.f32 [%rd2], {%f5,%f6,%f7,%f8}; ret; }\n")
    BEGIN("read2", "ld.global.v2.f32 {%f1,%f2}, [%rd1];\n"
                   "tex.2d.v4.f32.f32 {%f5,%f6,%f7,%f8}, [%t, {%f1,%f2}];\n"
                   "st.global.v4.f32 [%rd2], {%f5,%f6,%f7,%f8}; ret; }\n")
        BEGIN("fetch2", "ld.global.v2.u32 {%r2,%r3}, [%rd1];\n"
                        "tex.2d.v4.u32.s32 {%r5,%r6,%r7,%r8}, [%t, {%r2,%r3}];\n"
                        "st.global.v4.u32 [%rd2], {%r5,%r6,%r7,%r8}; ret; }\n")
            BEGIN("fetch1", "ld.global.u32 %r2, [%rd1];\n"
                            "tex.1d.v4.u32.s32 {%r5,%r6,%r7,%r8}, [%t, {%r2}];\n"
                            "st.global.v4.u32 [%rd2], {%r5,%r6,%r7,%r8}; ret; }\n")
                BEGIN("level2", "ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];\n"
                                "tex.level.2d.v4.f32.f32 {%f5,%f6,%f7,%f8}, [%t, {%f1,%f2}], %f3;\n"
                                "st.global.v4.f32 [%rd2], {%f5,%f6,%f7,%f8}; ret; }\n")
                    BEGIN("load2", "ld.global.v2.u32 {%r2,%r3}, [%rd1];\n"
                                   "suld.b.2d.b32.zero %r5, [%t, {%r2,%r3}];\n"
                                   "st.global.u32 [%rd2], %r5; ret; }\n")
                        BEGIN("trap2", "ld.global.v2.u32 {%r2,%r3}, [%rd1];\n"
                                       "suld.b.2d.b32.trap %r5, [%t, {%r2,%r3}];\n"
                                       "st.global.u32 [%rd2], %r5; ret; }\n")
                            BEGIN("store2", "ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%rd1];\n"
                                            "sust.b.2d.b32.zero [%t, {%r2,%r3}], %r4; ret; }\n");

typedef struct world {
  CUmodule module;
  CUdeviceptr at, out;
} world;

enum { MOST = 16 };

static world make_world(void) {
  world world;
  ok(cuModuleLoadData(&world.module, code));
  ok(cuMemAlloc(&world.at, MOST * 16));
  ok(cuMemAlloc(&world.out, MOST * 16));
  return world;
}

static void end_world(const world *world) {
  ok(cuMemFree(world->at));
  ok(cuMemFree(world->out));
  ok(cuModuleUnload(world->module));
}

static CUresult run(const world *world, const char *name, uint64_t object, const void *at,
                    unsigned count, void *out) {
  CUfunction function;
  uint64_t handle = object;
  CUdeviceptr places[] = {world->at, world->out};
  void *parameters[] = {&handle, &places[0], &places[1]};
  ok(cuModuleGetFunction(&function, world->module, name));
  ok(cuMemcpyHtoD(world->at, at, 16 * count));
  ok(cuLaunchKernel(function, 1, 1, 1, count, 1, 1, 0, NULL, parameters, NULL));
  return cuMemcpyDtoH(out, world->out, 16 * count);
}

static CUarray array_of(size_t width, size_t height, CUarray_format format, unsigned channels,
                        unsigned flags, const void *bytes, size_t row) {
  CUarray array;
  const CUDA_ARRAY3D_DESCRIPTOR desc = {
      .Width = width, .Height = height, .Format = format, .NumChannels = channels, .Flags = flags};
  ok(cuArray3DCreate(&array, &desc));
  const CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                              .srcHost = bytes,
                              .srcPitch = row,
                              .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                              .dstArray = array,
                              .WidthInBytes = row,
                              .Height = height ? height : 1};
  ok(cuMemcpy2D(&copy));
  return array;
}

static CUtexObject texture_of(CUarray array, CUaddress_mode mode, CUfilter_mode filter,
                              unsigned flags) {
  CUtexObject object;
  const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY,
                                       .res.array.hArray = array};
  const CUDA_TEXTURE_DESC desc = {.addressMode = {mode, mode, mode},
                                  .filterMode = filter,
                                  .flags = flags,
                                  .borderColor = {9, 9, 9, 9}};
  ok(cuTexObjectCreate(&object, &resource, &desc, NULL));
  return object;
}

/* Reads a row of four texels 0 10 20 30 in all modes. r is the expected result. */
CONTEXT_TEST(every_sampling_mode_reads_the_right_value) {
  const world world = make_world();
  const float texels[] = {0, 10, 20, 30};
  const struct {
    CUaddress_mode mode;
    CUfilter_mode filter;
    unsigned flags;
    float at, r;
  } cases[] = {
      {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0, 2.5F, 20},
      {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0, 7, 30},
      {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0, -3, 0},
      {CU_TR_ADDRESS_MODE_BORDER, CU_TR_FILTER_MODE_POINT, 0, 4.5F, 9},
      {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR, 0, 1, 5},
      {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR, 0, 1.75F, 12.5F},
      {CU_TR_ADDRESS_MODE_BORDER, CU_TR_FILTER_MODE_LINEAR, 0, 0, 4.5F},
      {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR, 0, 4, 30},
      {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, CU_TRSF_NORMALIZED_COORDINATES, 0.6F, 20},
      {CU_TR_ADDRESS_MODE_WRAP, CU_TR_FILTER_MODE_POINT, CU_TRSF_NORMALIZED_COORDINATES, 1.3F, 10},
      {CU_TR_ADDRESS_MODE_WRAP, CU_TR_FILTER_MODE_POINT, CU_TRSF_NORMALIZED_COORDINATES, -0.1F, 30},
      {CU_TR_ADDRESS_MODE_WRAP, CU_TR_FILTER_MODE_LINEAR, CU_TRSF_NORMALIZED_COORDINATES, 0, 15},
      {CU_TR_ADDRESS_MODE_MIRROR, CU_TR_FILTER_MODE_POINT, CU_TRSF_NORMALIZED_COORDINATES, 1.3F,
       20},
      {CU_TR_ADDRESS_MODE_MIRROR, CU_TR_FILTER_MODE_POINT, CU_TRSF_NORMALIZED_COORDINATES, -0.3F,
       10},
      /* Coordinates that are not normalized do not wrap. */
      {CU_TR_ADDRESS_MODE_WRAP, CU_TR_FILTER_MODE_POINT, 0, 5, 30},
  };
  CUarray array = array_of(4, 0, CU_AD_FORMAT_FLOAT, 1, 0, texels, sizeof texels);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    CUtexObject object = texture_of(array, cases[i].mode, cases[i].filter, cases[i].flags);
    const float at[4] = {cases[i].at};
    float out[4];
    ok(run(&world, "read1", object, at, 1, out));
    if (out[0] != cases[i].r)
      print_error("case %zu\n", i);
    assert_float_equal(out[0], cases[i].r, 1e-6);
    ok(cuTexObjectDestroy(object));
  }
  ok(cuArrayDestroy(array));
  end_world(&world);
}

CONTEXT_TEST(texels_are_read_as_floats_or_integers) {
  const world world = make_world();
  const unsigned char bytes[] = {0, 255, 128, 64, 1, 2, 3, 4};
  const uint32_t places[] = {1, 0, 0, 0};
  const float middle[] = {1.5F, 0.5F, 0, 0};
  uint32_t words[4];
  float floats[4];
  CUarray array = array_of(2, 1, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0, bytes, 8);
  CUtexObject object =
      texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, CU_TRSF_READ_AS_INTEGER);
  ok(run(&world, "fetch2", object, places, 1, words));
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(words[i], i + 1);
  ok(cuTexObjectDestroy(object));
  object = texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR, 0);
  ok(run(&world, "read2", object, middle, 1, floats));
  assert_float_equal(floats[3], 4.0F / 255, 1e-6);
  ok(cuTexObjectDestroy(object));
  ok(cuArrayDestroy(array));
  /* Two signed channels: -1, 1, and the missing channels' values. */
  const int16_t words16[] = {-32768, 32767, -1, 5};
  array = array_of(2, 1, CU_AD_FORMAT_SIGNED_INT16, 2, 0, words16, 8);
  object = texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
  const float first[] = {0.5F, 0.5F, 0, 0};
  ok(run(&world, "read2", object, first, 1, floats));
  assert_float_equal(floats[0], -1, 0);
  assert_float_equal(floats[1], 1, 0);
  assert_float_equal(floats[2], 0, 0);
  assert_float_equal(floats[3], 1, 0);
  ok(cuTexObjectDestroy(object));
  object =
      texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, CU_TRSF_READ_AS_INTEGER);
  ok(run(&world, "fetch2", object, places, 1, words));
  assert_int_equal(words[0], UINT32_MAX);
  assert_int_equal(words[1], 5);
  ok(cuTexObjectDestroy(object));
  ok(cuArrayDestroy(array));
  /* Halves: 1.5, the smallest one, infinity. */
  const uint16_t halves[] = {0x3e00, 0x0001, 0x7c00, 0xc000};
  array = array_of(1, 1, CU_AD_FORMAT_HALF, 4, 0, halves, 8);
  object = texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
  ok(run(&world, "read2", object, first, 1, floats));
  assert_float_equal(floats[0], 1.5, 0);
  assert_true(floats[1] == 0x1p-24F);
  assert_true(floats[2] > 3e38F);
  assert_float_equal(floats[3], -2, 0);
  ok(cuTexObjectDestroy(object));
  ok(cuArrayDestroy(array));
  end_world(&world);
}

CONTEXT_TEST(linear_memory_is_read_as_a_texture) {
  const world world = make_world();
  CUdeviceptr memory;
  CUtexObject object;
  const uint32_t texels[] = {3, 4, 5, 6};
  const uint32_t places[8] = {2, 0, 0, 0, 4, 0, 0, 0};
  uint32_t words[8];
  ok(cuMemAlloc(&memory, 16));
  ok(cuMemcpyHtoD(memory, texels, 16));
  CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR,
                                 .res.linear = {.devPtr = memory,
                                                .format = CU_AD_FORMAT_UNSIGNED_INT32,
                                                .numChannels = 1,
                                                .sizeInBytes = 16}};
  const CUDA_TEXTURE_DESC desc = {.flags = CU_TRSF_READ_AS_INTEGER};
  ok(cuTexObjectCreate(&object, &resource, &desc, NULL));
  ok(run(&world, "fetch1", object, places, 2, words));
  assert_int_equal(words[0], 5);
  assert_int_equal(words[4], 0);
  ok(cuTexObjectDestroy(object));
  resource.res.linear.sizeInBytes = 17;
  expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, &resource, &desc, NULL));
  resource.res.linear.sizeInBytes = 16;
  resource.res.linear.numChannels = 3;
  expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, &resource, &desc, NULL));
  ok(cuMemFree(memory));
  end_world(&world);
}

CONTEXT_TEST(mipmap_levels_are_read_and_interpolated) {
  const world world = make_world();
  CUmipmappedArray mipmap;
  CUarray level;
  const CUDA_ARRAY3D_DESCRIPTOR desc = {
      .Width = 4, .Height = 4, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
  ok(cuMipmappedArrayCreate(&mipmap, &desc, 9));
  for (unsigned i = 0; i < 3; i++) {
    float texels[16];
    for (int j = 0; j < 16; j++)
      texels[j] = (float)(i + 1);
    ok(cuMipmappedArrayGetLevel(&level, mipmap, i));
    CUDA_ARRAY3D_DESCRIPTOR found;
    ok(cuArray3DGetDescriptor(&found, level));
    assert_int_equal(found.Width, 4 >> i);
    const CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                                .srcHost = texels,
                                .srcPitch = 4 * found.Width,
                                .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                .dstArray = level,
                                .WidthInBytes = 4 * found.Width,
                                .Height = found.Height};
    ok(cuMemcpy2D(&copy));
  }
  expect(CUDA_ERROR_INVALID_VALUE, cuMipmappedArrayGetLevel(&level, mipmap, 3));
  expect(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(level));
  CUtexObject object;
  const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
                                       .res.mipmap.hMipmappedArray = mipmap};
  CUDA_TEXTURE_DESC sampler = {.maxMipmapLevelClamp = 2};
  expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, &resource, &sampler, NULL));
  sampler.flags = CU_TRSF_NORMALIZED_COORDINATES;
  sampler.mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR;
  ok(cuTexObjectCreate(&object, &resource, &sampler, NULL));
  const float at[] = {0.5F, 0.5F, 0, 0, 0.5F, 0.5F, 1, 0, 0.5F, 0.5F, 1.5F, 0, 0.5F, 0.5F, 7, 0};
  float out[16];
  ok(run(&world, "level2", object, at, 4, out));
  assert_float_equal(out[0], 1, 0);
  assert_float_equal(out[4], 2, 0);
  assert_float_equal(out[8], 2.5, 0);
  assert_float_equal(out[12], 3, 0);
  ok(cuTexObjectDestroy(object));
  ok(cuMipmappedArrayDestroy(mipmap));
  expect(CUDA_ERROR_INVALID_HANDLE, cuMipmappedArrayDestroy(mipmap));
  end_world(&world);
}

CONTEXT_TEST(surfaces_are_read_and_written_in_bounds) {
  const world world = make_world();
  const uint32_t texels[6] = {1, 2, 3, 4, 5, 6};
  CUsurfObject surface;
  CUarray array =
      array_of(3, 2, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST, texels, 12);
  CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
  ok(cuSurfObjectCreate(&surface, &resource));
  const uint32_t stores[] = {4, 1, 77, 0, 400, 0, 78, 0};
  uint32_t out[12];
  ok(run(&world, "store2", surface, stores, 2, out));
  const uint32_t loads[] = {4, 1, 0, 0, 8, 0, 0, 0, 12, 0, 0, 0};
  ok(run(&world, "load2", surface, loads, 3, out));
  assert_int_equal(out[0], 77);
  assert_int_equal(out[4], 3);
  assert_int_equal(out[8], 0);
  ok(cuSurfObjectDestroy(surface));
  expect(CUDA_ERROR_INVALID_HANDLE, cuSurfObjectDestroy(surface));
  ok(cuArrayDestroy(array));
  expect(CUDA_ERROR_INVALID_HANDLE, cuSurfObjectCreate(&surface, &resource));
  array = array_of(3, 2, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0, texels, 12);
  resource.res.array.hArray = array;
  refused(CUDA_ERROR_INVALID_VALUE, "SURFACE_LDST", cuSurfObjectCreate(&surface, &resource));
  ok(cuArrayDestroy(array));
  end_world(&world);
}

/* The kernel uses an invalid object, or accesses a surface out of bounds with .trap. */
CONTEXT_TEST(wrong_surface_accesses_fail_the_kernel) {
  for (int i = 0; i < 2; i++) {
    CUcontext context;
    ok(cuCtxCreate_v2(&context, 0, 0));
    const world world = make_world();
    const uint32_t texels[4] = {0};
    uint32_t out[4];
    CUsurfObject surface = 1234;
    if (i == 0) {
      CUarray array =
          array_of(2, 2, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST, texels, 8);
      const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY,
                                           .res.array.hArray = array};
      ok(cuSurfObjectCreate(&surface, &resource));
    }
    const uint32_t outside[] = {8, 0, 0, 0};
    expect(CUDA_ERROR_LAUNCH_FAILED, run(&world, "trap2", surface, outside, 1, out));
    char fault[512];
    fake_cuda_fault(fault, sizeof fault);
    assert_non_null(strstr(fault, i == 0 ? "outside" : "no live surface"));
    ok(cuCtxDestroy(context));
  }
}

CONTEXT_TEST(wrong_arrays_and_textures_are_refused) {
  CUarray array = NULL;
  const CUDA_ARRAY3D_DESCRIPTOR good = {
      .Width = 4, .Height = 4, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
  CUDA_ARRAY3D_DESCRIPTOR bad = good;
  bad.NumChannels = 3;
  expect(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&array, &bad));
  bad = good;
  bad.Format = (CUarray_format)0;
  expect(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&array, &bad));
  bad = good;
  bad.Width = 0;
  expect(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&array, &bad));
  bad.Width = 1 << 20;
  expect(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&array, &bad));
  bad = good;
  bad.Flags = CUDA_ARRAY3D_CUBEMAP;
  expect(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&array, &bad));
  bad = good;
  bad.Height = 0;
  bad.Depth = 2;
  expect(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&array, &bad));
  assert_null(array);
  ok(cuArray3DCreate(&array, &good));
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                        .srcHost = &good,
                        .srcPitch = 16,
                        .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                        .dstArray = array,
                        .dstY = 3,
                        .WidthInBytes = 16,
                        .Height = 2};
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
  copy.Height = 1;
  copy.WidthInBytes = 6;
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
  CUtexObject object = 0;
  CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
  CUDA_TEXTURE_DESC desc = {.flags = 0x1000};
  expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, &resource, &desc, NULL));
  desc.flags = 0;
  desc.addressMode[1] = (CUaddress_mode)7;
  expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, &resource, &desc, NULL));
  expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, NULL, &desc, NULL));
  resource.resType = (CUresourcetype)9;
  expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, &resource, &desc, NULL));
  assert_int_equal(object, 0);
  ok(cuArrayDestroy(array));
  expect(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(array));
  assert_int_equal(fake_cuda_live_all(), 1);
}
