/* Primary contexts: one per device, which lives while the program retains it. */
#include "fake.h"
#include "work.h"

static fake_context *primaries[FAKE_DEVICES_MAX];
static unsigned next_flags[FAKE_DEVICES_MAX];

CUresult cuDevicePrimaryCtxRetain(CUcontext *ret, CUdevice device) {
  FAKE_ENTER(cuDevicePrimaryCtxRetain, INIT);
  FAKE_REQUIRE(ret, INVALID_VALUE, "cuDevicePrimaryCtxRetain: the place for the context is NULL");
  FAKE_TRY(fake_check_device(device));
  if (!primaries[device])
    FAKE_TRY(fake_context_new(device, next_flags[device], true, &primaries[device]));
  primaries[device]->retained++;
  *ret = FAKE_HANDLE(CUcontext, primaries[device]);
  return CUDA_SUCCESS;
}

static void end_primary(CUdevice device) {
  fake_context *context = primaries[device];
  primaries[device] = NULL;
  if (context)
    fake_context_end(context);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  FAKE_ENTER(cuDevicePrimaryCtxRelease, INIT);
  FAKE_TRY(fake_check_device(device));
  FAKE_REQUIRE(primaries[device], INVALID_CONTEXT,
               "cuDevicePrimaryCtxRelease: nobody retains device %d's primary context", device);
  if (--primaries[device]->retained == 0)
    end_primary(device);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  FAKE_ENTER(cuDevicePrimaryCtxSetFlags, INIT);
  FAKE_TRY(fake_check_device(device));
  FAKE_REQUIRE((flags & ~(unsigned)CU_CTX_FLAGS_MASK) == 0, INVALID_VALUE,
               "cuDevicePrimaryCtxSetFlags: unknown flags in 0x%x", flags);
  next_flags[device] = flags;
  if (primaries[device])
    primaries[device]->flags = flags | CU_CTX_MAP_HOST;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active) {
  FAKE_ENTER(cuDevicePrimaryCtxGetState, INIT);
  FAKE_TRY(fake_check_device(device));
  FAKE_REQUIRE(flags && active, INVALID_VALUE, "cuDevicePrimaryCtxGetState: NULL");
  *flags = primaries[device] ? primaries[device]->flags : next_flags[device];
  *active = primaries[device] != NULL;
  return CUDA_SUCCESS;
}
