/* The objects of the fixture that only some backends have; see backend.h. */
#define _GNU_SOURCE /* memfd_create */
#include "check.h"
#include "world.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

/* Files that the fake driver imports as memory and semaphores of another interface. */
static int new_memory_file(void) {
  const int file = memfd_create("fixture", MFD_CLOEXEC);
  assert_true(file >= 0);
  assert_int_equal(ftruncate(file, WORLD_BYTES), 0);
  return file;
}

static int new_semaphore_file(unsigned signals) {
  const int file = eventfd(signals, EFD_CLOEXEC | EFD_SEMAPHORE);
  assert_true(file >= 0);
  return file;
}

static void begin_bindless(world *w) {
  pi_mem mem[2]; /* descriptions of the handles */
  pi_image_desc levels = world_desc;
  const pi_sampler_properties none = 0;
  levels.num_mip_levels = 2;
  must(piextMemImageAllocate(w->context, w->device, &world_format, &world_desc, &w->image_mem));
  must(piextMemImageAllocate(w->context, w->device, &world_format, &world_desc,
                             &w->spare.image_mem));
  if (backend.mipmaps) {
    must(piextMemImageAllocate(w->context, w->device, &world_format, &levels, &w->mipmap));
    must(piextMemMipmapGetLevel(w->context, w->device, w->mipmap, 0, &w->level));
    must(piextMemImageAllocate(w->context, w->device, &world_format, &levels, &w->spare.mipmap));
  } else {
    w->mipmap = w->spare.mipmap = w->image_mem;
  }
  must(piextBindlessImageSamplerCreate(w->context, &none, 0, 1, 1, &w->bindless_sampler));
  must(piextMemUnsampledImageCreate(w->context, w->device, w->image_mem, &world_format, &world_desc,
                                    &mem[0], &w->spare.unsampled));
  must(piextMemSampledImageCreate(w->context, w->device, w->image_mem, &world_format, &world_desc,
                                  w->bindless_sampler, &mem[1], &w->spare.sampled));
  must(piMemRelease(mem[0]));
  must(piMemRelease(mem[1]));
}

static void begin_external_memory(world *w) {
  pi_interop_mem_handle *memories[] = {&w->interop_mem, &w->spare.interop_mem};
  for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++)
    must(
        piextMemImportOpaqueFD(w->context, w->device, WORLD_BYTES, new_memory_file(), memories[i]));
}

static void begin_external_semaphores(world *w) {
  pi_interop_semaphore_handle *semaphores[] = {&w->semaphore, &w->signalled, &w->spare.semaphore};
  for (size_t i = 0; i < sizeof semaphores / sizeof semaphores[0]; i++)
    must(piextImportExternalSemaphoreOpaqueFD(
        w->context, w->device, new_semaphore_file(semaphores[i] == &w->signalled ? 9 : 0),
        semaphores[i]));
}

static void begin_peer(world *w) {
  /* The last device is in the last platform, because CUDA has a platform for each device. */
  pi_platform platforms[2] = {w->platform, w->platform};
  pi_device devices[2];
  pi_uint32 count = 0;
  must(piPlatformsGet(2, platforms, &count));
  must(piDevicesGet(platforms[count - 1], PI_DEVICE_TYPE_ALL, 2, devices, &count));
  w->peer = devices[count - 1];
  must(piextEnablePeerAccess(w->peer, w->device));
  w->spare.peer = true;
}

/* Substitutes for missing objects. They suffice, because the entry points refuse the call. */
static void begin_without(world *w) {
  if (!backend.bindless_images) {
    w->image_mem = w->mipmap = w->spare.image_mem = w->spare.mipmap = w->host;
    w->bindless_sampler = w->sampler;
    w->spare.unsampled = w->spare.sampled = 1;
  }
  if (!backend.external_memory)
    w->interop_mem = w->spare.interop_mem = 1;
  if (!backend.external_semaphores)
    w->semaphore = w->signalled = w->spare.semaphore = 1;
  if (!backend.usm_import)
    w->spare.imported = w->importable;
}

void extras_begin(world *w) {
  w->peer = w->device;
  w->memory_file = new_memory_file();
  w->semaphore_file = new_semaphore_file(0);
  w->importable = aligned_alloc(WORLD_BYTES, 2 * WORLD_BYTES);
  assert_non_null(w->importable);
  begin_without(w);
  if (backend.bindless_images)
    begin_bindless(w);
  if (backend.external_memory)
    begin_external_memory(w);
  if (backend.external_semaphores)
    begin_external_semaphores(w);
  if (backend.peers)
    begin_peer(w);
  if (backend.usm_import) {
    w->spare.imported = w->importable + WORLD_BYTES;
    must(piextUSMImport(w->spare.imported, WORLD_BYTES, w->context));
  }
}

static void end_bindless(world *w) {
  if (w->spare.unsampled)
    must(piextMemUnsampledImageHandleDestroy(w->context, w->device, w->spare.unsampled));
  if (w->spare.sampled)
    must(piextMemSampledImageHandleDestroy(w->context, w->device, w->spare.sampled));
  must(piSamplerRelease(w->bindless_sampler));
  must(piextMemImageFree(w->context, w->device, w->image_mem));
  if (w->spare.image_mem)
    must(piextMemImageFree(w->context, w->device, w->spare.image_mem));
  if (backend.mipmaps)
    must(piextMemMipmapFree(w->context, w->device, w->mipmap));
  if (backend.mipmaps && w->spare.mipmap)
    must(piextMemMipmapFree(w->context, w->device, w->spare.mipmap));
}

static void end_external_memory(world *w) {
  must(piextMemReleaseInterop(w->context, w->device, w->interop_mem));
  if (w->spare.interop_mem)
    must(piextMemReleaseInterop(w->context, w->device, w->spare.interop_mem));
}

static void end_external_semaphores(world *w) {
  must(piextDestroyExternalSemaphore(w->context, w->device, w->semaphore));
  must(piextDestroyExternalSemaphore(w->context, w->device, w->signalled));
  if (w->spare.semaphore)
    must(piextDestroyExternalSemaphore(w->context, w->device, w->spare.semaphore));
}

void extras_end(world *w) {
  if (backend.bindless_images)
    end_bindless(w);
  if (backend.external_memory)
    end_external_memory(w);
  if (backend.external_semaphores)
    end_external_semaphores(w);
  if (w->spare.peer)
    must(piextDisablePeerAccess(w->peer, w->device));
  if (backend.usm_import && w->spare.imported)
    must(piextUSMRelease(w->spare.imported, w->context));
  if (w->memory_file >= 0)
    close(w->memory_file);
  if (w->semaphore_file >= 0)
    close(w->semaphore_file);
  free(w->importable);
}

#define WRITTEN(handle) output_is_written((const void *)(uintptr_t)(handle))

void extras_release_outputs(world *w) {
  outputs *out = &w->out;
  if (WRITTEN(out->unsampled))
    must(piextMemUnsampledImageHandleDestroy(w->context, w->device, out->unsampled));
  if (WRITTEN(out->sampled))
    must(piextMemSampledImageHandleDestroy(w->context, w->device, out->sampled));
  if (WRITTEN(out->image_mem))
    must(piextMemImageFree(w->context, w->device, out->image_mem));
  if (WRITTEN(out->interop_mem)) {
    must(piextMemReleaseInterop(w->context, w->device, out->interop_mem));
    w->memory_file = -1; /* now the driver's, which closed it */
  }
  if (WRITTEN(out->semaphore)) {
    must(piextDestroyExternalSemaphore(w->context, w->device, out->semaphore));
    w->semaphore_file = -1;
  }
  if (WRITTEN(out->imported))
    must(piextUSMRelease(out->imported, w->context));
  if (WRITTEN(out->peer))
    must(piextDisablePeerAccess(w->device, out->peer));
}
