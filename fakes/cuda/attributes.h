/*
 * X(NAME, value): the fake driver's value of CU_DEVICE_ATTRIBUTE_<NAME>, for a small device of
 * compute capability 8.0. The PCI bus id depends on the device. FAKE_CUDA_UNITS can change the
 * number of multiprocessors; FAKE_CUDA_VIRTUAL and FAKE_CUDA_POOLS can turn off virtual memory
 * management and memory pools.
 */
#ifndef SPECPI_TEST_FAKE_CUDA_ATTRIBUTES_H
#define SPECPI_TEST_FAKE_CUDA_ATTRIBUTES_H

#define FAKE_ATTRIBUTES(X)                                                                         \
  X(MAX_THREADS_PER_BLOCK, 1024)                                                                   \
  X(MAX_BLOCK_DIM_X, 1024)                                                                         \
  X(MAX_BLOCK_DIM_Y, 1024)                                                                         \
  X(MAX_BLOCK_DIM_Z, 64)                                                                           \
  X(MAX_GRID_DIM_X, 2147483647)                                                                    \
  X(MAX_GRID_DIM_Y, 65535)                                                                         \
  X(MAX_GRID_DIM_Z, 65535)                                                                         \
  X(MAX_SHARED_MEMORY_PER_BLOCK, 49152)                                                            \
  X(TOTAL_CONSTANT_MEMORY, 65536)                                                                  \
  X(WARP_SIZE, 32)                                                                                 \
  X(MAX_PITCH, 2147483647)                                                                         \
  X(MAX_REGISTERS_PER_BLOCK, 65536)                                                                \
  X(CLOCK_RATE, 1410000)                                                                           \
  X(TEXTURE_ALIGNMENT, 512)                                                                        \
  X(GPU_OVERLAP, 1)                                                                                \
  X(MULTIPROCESSOR_COUNT, 4)                                                                       \
  X(KERNEL_EXEC_TIMEOUT, 0)                                                                        \
  X(INTEGRATED, 0)                                                                                 \
  X(CAN_MAP_HOST_MEMORY, 1)                                                                        \
  X(COMPUTE_MODE, 0)                                                                               \
  X(MAXIMUM_TEXTURE1D_WIDTH, 131072)                                                               \
  X(MAXIMUM_TEXTURE2D_WIDTH, 131072)                                                               \
  X(MAXIMUM_TEXTURE2D_HEIGHT, 65536)                                                               \
  X(MAXIMUM_TEXTURE3D_WIDTH, 16384)                                                                \
  X(MAXIMUM_TEXTURE3D_HEIGHT, 16384)                                                               \
  X(MAXIMUM_TEXTURE3D_DEPTH, 16384)                                                                \
  X(MAXIMUM_TEXTURE2D_LAYERED_WIDTH, 32768)                                                        \
  X(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, 32768)                                                       \
  X(MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 2048)                                                        \
  X(SURFACE_ALIGNMENT, 512)                                                                        \
  X(CONCURRENT_KERNELS, 1)                                                                         \
  X(ECC_ENABLED, 1)                                                                                \
  X(PCI_BUS_ID, 0)                                                                                 \
  X(PCI_DEVICE_ID, 0)                                                                              \
  X(TCC_DRIVER, 0)                                                                                 \
  X(MEMORY_CLOCK_RATE, 1215000)                                                                    \
  X(GLOBAL_MEMORY_BUS_WIDTH, 5120)                                                                 \
  X(L2_CACHE_SIZE, 41943040)                                                                       \
  X(MAX_THREADS_PER_MULTIPROCESSOR, 2048)                                                          \
  X(ASYNC_ENGINE_COUNT, 3)                                                                         \
  X(UNIFIED_ADDRESSING, 1)                                                                         \
  X(MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 32768)                                                        \
  X(MAXIMUM_TEXTURE1D_LAYERED_LAYERS, 2048)                                                        \
  X(CAN_TEX2D_GATHER, 1)                                                                           \
  X(MAXIMUM_TEXTURE2D_GATHER_WIDTH, 32768)                                                         \
  X(MAXIMUM_TEXTURE2D_GATHER_HEIGHT, 32768)                                                        \
  X(MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, 8192)                                                       \
  X(MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE, 8192)                                                      \
  X(MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE, 32768)                                                      \
  X(PCI_DOMAIN_ID, 0)                                                                              \
  X(TEXTURE_PITCH_ALIGNMENT, 32)                                                                   \
  X(MAXIMUM_TEXTURECUBEMAP_WIDTH, 32768)                                                           \
  X(MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, 32768)                                                   \
  X(MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS, 2046)                                                   \
  X(MAXIMUM_SURFACE1D_WIDTH, 32768)                                                                \
  X(MAXIMUM_SURFACE2D_WIDTH, 131072)                                                               \
  X(MAXIMUM_SURFACE2D_HEIGHT, 65536)                                                               \
  X(MAXIMUM_SURFACE3D_WIDTH, 16384)                                                                \
  X(MAXIMUM_SURFACE3D_HEIGHT, 16384)                                                               \
  X(MAXIMUM_SURFACE3D_DEPTH, 16384)                                                                \
  X(MAXIMUM_SURFACE1D_LAYERED_WIDTH, 32768)                                                        \
  X(MAXIMUM_SURFACE1D_LAYERED_LAYERS, 2048)                                                        \
  X(MAXIMUM_SURFACE2D_LAYERED_WIDTH, 32768)                                                        \
  X(MAXIMUM_SURFACE2D_LAYERED_HEIGHT, 32768)                                                       \
  X(MAXIMUM_SURFACE2D_LAYERED_LAYERS, 2048)                                                        \
  X(MAXIMUM_SURFACECUBEMAP_WIDTH, 32768)                                                           \
  X(MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, 32768)                                                   \
  X(MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS, 2046)                                                   \
  X(MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 268435456)                                                     \
  X(MAXIMUM_TEXTURE2D_LINEAR_WIDTH, 131072)                                                        \
  X(MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, 65000)                                                        \
  X(MAXIMUM_TEXTURE2D_LINEAR_PITCH, 2097120)                                                       \
  X(MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, 32768)                                                      \
  X(MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT, 32768)                                                     \
  X(COMPUTE_CAPABILITY_MAJOR, (FAKE_ARCHITECTURE / 10))                                            \
  X(COMPUTE_CAPABILITY_MINOR, (FAKE_ARCHITECTURE % 10))                                            \
  X(MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH, 32768)                                                      \
  X(STREAM_PRIORITIES_SUPPORTED, 1)                                                                \
  X(GLOBAL_L1_CACHE_SUPPORTED, 1)                                                                  \
  X(LOCAL_L1_CACHE_SUPPORTED, 1)                                                                   \
  X(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 167936)                                                  \
  X(MAX_REGISTERS_PER_MULTIPROCESSOR, 65536)                                                       \
  X(MANAGED_MEMORY, 1)                                                                             \
  X(MULTI_GPU_BOARD, 0)                                                                            \
  X(MULTI_GPU_BOARD_GROUP_ID, 0)                                                                   \
  X(HOST_NATIVE_ATOMIC_SUPPORTED, 0)                                                               \
  X(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 2)                                                      \
  X(PAGEABLE_MEMORY_ACCESS, 0)                                                                     \
  X(CONCURRENT_MANAGED_ACCESS, 1)                                                                  \
  X(COMPUTE_PREEMPTION_SUPPORTED, 1)                                                               \
  X(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1)                                                    \
  X(CAN_USE_STREAM_MEM_OPS_V1, 1)                                                                  \
  X(CAN_USE_64_BIT_STREAM_MEM_OPS_V1, 1)                                                           \
  X(CAN_USE_STREAM_WAIT_VALUE_NOR_V1, 1)                                                           \
  X(COOPERATIVE_LAUNCH, 1)                                                                         \
  X(COOPERATIVE_MULTI_DEVICE_LAUNCH, 0)                                                            \
  X(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 166912)                                                     \
  X(CAN_FLUSH_REMOTE_WRITES, 0)                                                                    \
  X(HOST_REGISTER_SUPPORTED, 1)                                                                    \
  X(PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 0)                                               \
  X(DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 0)                                                        \
  X(VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1)                                                        \
  X(HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0)                                                \
  X(HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, 0)                                                         \
  X(HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED, 0)                                                     \
  X(MAX_BLOCKS_PER_MULTIPROCESSOR, 32)                                                             \
  X(GENERIC_COMPRESSION_SUPPORTED, 0)                                                              \
  X(MAX_PERSISTING_L2_CACHE_SIZE, 0)                                                               \
  X(MAX_ACCESS_POLICY_WINDOW_SIZE, 0)                                                              \
  X(GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED, 0)                                                    \
  X(RESERVED_SHARED_MEMORY_PER_BLOCK, 1024)                                                        \
  X(SPARSE_CUDA_ARRAY_SUPPORTED, 0)                                                                \
  X(READ_ONLY_HOST_REGISTER_SUPPORTED, 1)                                                          \
  X(TIMELINE_SEMAPHORE_INTEROP_SUPPORTED, 0)                                                       \
  X(MEMORY_POOLS_SUPPORTED, 1)                                                                     \
  X(GPU_DIRECT_RDMA_SUPPORTED, 0)                                                                  \
  X(GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS, 0)                                                       \
  X(GPU_DIRECT_RDMA_WRITES_ORDERING, 0)                                                            \
  X(MEMPOOL_SUPPORTED_HANDLE_TYPES, 0)                                                             \
  X(CLUSTER_LAUNCH, 0)                                                                             \
  X(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, 0)                                                      \
  X(CAN_USE_64_BIT_STREAM_MEM_OPS, 1)                                                              \
  X(CAN_USE_STREAM_WAIT_VALUE_NOR, 1)                                                              \
  X(DMA_BUF_SUPPORTED, 0)                                                                          \
  X(IPC_EVENT_SUPPORTED, 0)                                                                        \
  X(MEM_SYNC_DOMAIN_COUNT, 1)                                                                      \
  X(TENSOR_MAP_ACCESS_SUPPORTED, 0)                                                                \
  X(HANDLE_TYPE_FABRIC_SUPPORTED, 0)                                                               \
  X(UNIFIED_FUNCTION_POINTERS, 0)                                                                  \
  X(NUMA_CONFIG, 0)                                                                                \
  X(NUMA_ID, (-1))                                                                                 \
  X(MULTICAST_SUPPORTED, 0)                                                                        \
  X(MPS_ENABLED, 0)                                                                                \
  X(HOST_NUMA_ID, (-1))

#endif
