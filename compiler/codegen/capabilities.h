/* SPIR-V's capabilities that specpi-codegen supports, and those that it refuses by name. */
#ifndef CODEGEN_CAPABILITIES_H
#define CODEGEN_CAPABILITIES_H

#include "../error.h"

#include <stdint.h>

/*
 * X(number, name): supported capabilities. Some functions that they allow may still be missing; a
 * module that calls such a function gets a message about that function.
 */
#define CODEGEN_CAPABILITIES(X)                                                                    \
  X(4, Addresses)                                                                                  \
  X(5, Linkage)                                                                                    \
  X(6, Kernel)                                                                                     \
  X(7, Vector16)                                                                                   \
  X(8, Float16Buffer)                                                                              \
  X(9, Float16)                                                                                    \
  X(10, Float64)                                                                                   \
  X(11, Int64)                                                                                     \
  X(12, Int64Atomics)                                                                              \
  X(13, ImageBasic)                                                                                \
  X(14, ImageReadWrite)                                                                            \
  X(18, Groups)                                                                                    \
  X(20, LiteralSampler)                                                                            \
  X(22, Int16)                                                                                     \
  X(38, GenericPointer)                                                                            \
  X(39, Int8)                                                                                      \
  X(43, Sampled1D)                                                                                 \
  X(44, Image1D)                                                                                   \
  X(58, SubgroupDispatch)                                                                          \
  X(61, GroupNonUniform)                                                                           \
  X(62, GroupNonUniformVote)                                                                       \
  X(63, GroupNonUniformArithmetic)                                                                 \
  X(64, GroupNonUniformBallot)                                                                     \
  X(65, GroupNonUniformShuffle)                                                                    \
  X(66, GroupNonUniformShuffleRelative)                                                            \
  X(67, GroupNonUniformClustered)                                                                  \
  X(4423, SubgroupBallotKHR)                                                                       \
  X(4431, SubgroupVoteKHR)                                                                         \
  X(4464, DenormPreserve)                                                                          \
  X(4465, DenormFlushToZero)                                                                       \
  X(4466, SignedZeroInfNanPreserve)                                                                \
  X(4467, RoundingModeRTE)                                                                         \
  X(4468, RoundingModeRTZ)                                                                         \
  X(5568, SubgroupShuffleINTEL)                                                                    \
  X(5569, SubgroupBufferBlockIOINTEL)                                                              \
  X(5582, RoundToInfinityINTEL)                                                                    \
  X(5583, FloatingPointModeINTEL)                                                                  \
  X(5612, AtomicFloat32MinMaxEXT)                                                                  \
  X(5613, AtomicFloat64MinMaxEXT)                                                                  \
  X(5616, AtomicFloat16MinMaxEXT)                                                                  \
  X(5629, ExpectAssumeKHR)                                                                         \
  X(5817, VariableLengthArrayINTEL)                                                                \
  X(5821, FunctionFloatControlINTEL)                                                               \
  X(5824, FPGAMemoryAttributesINTEL)                                                               \
  X(5837, FPFastMathModeINTEL)                                                                     \
  X(5844, ArbitraryPrecisionIntegersINTEL)                                                         \
  X(5886, UnstructuredLoopControlsINTEL)                                                           \
  X(5888, FPGALoopControlsINTEL)                                                                   \
  X(5892, KernelAttributesINTEL)                                                                   \
  X(5910, MemoryAccessAliasingINTEL)                                                               \
  X(6026, GroupNonUniformRotateKHR)                                                                \
  X(6033, AtomicFloat32AddEXT)                                                                     \
  X(6034, AtomicFloat64AddEXT)                                                                     \
  X(6089, LongConstantCompositeINTEL)                                                              \
  X(6094, OptNoneINTEL)                                                                            \
  X(6095, AtomicFloat16AddEXT)                                                                     \
  X(6114, DebugInfoModuleINTEL)                                                                    \
  X(6115, Bfloat16ConversionINTEL)                                                                 \
  X(6141, SplitBarrierINTEL)                                                                       \
  X(6146, GlobalVariableDecorationsINTEL)                                                          \
  X(6169, FPMaxErrorINTEL)                                                                         \
  X(6187, GlobalVariableHostAccessINTEL)                                                           \
  X(6189, GlobalVariableFPGADecorationsINTEL)                                                      \
  X(6400, GroupUniformArithmeticKHR)                                                               \
  X(6441, CacheControlsINTEL)

/* X(number, name, why): refused capabilities that the message names, with the reason. All others
 * are refused by their number. */
#define CODEGEN_REFUSED_CAPABILITIES(X)                                                            \
  X(1, Shader, "it is for graphics")                                                               \
  X(15, ImageMipmap, "images of kernels have one level")                                           \
  X(17, Pipes, "NVIDIA's GPUs have no pipes")                                                      \
  X(19, DeviceEnqueue, "kernels there cannot start kernels of OpenCL")                             \
  X(46, SampledBuffer, "no images are made of buffers")                                            \
  X(47, ImageBuffer, "no images are made of buffers")                                              \
  X(5570, SubgroupImageBlockIOINTEL, "its blocks of images have no code yet")                      \
  X(5603, FunctionPointersINTEL, "functions cannot be pointed to")                                 \
  X(5604, IndirectReferencesINTEL, "functions cannot be pointed to")                               \
  X(5606, AsmINTEL, "it has assembly for another device")                                          \
  X(5617, VectorComputeINTEL, "it is ESIMD, for Intel's GPUs only")                                \
  X(5619, VectorAnyINTEL, "it is ESIMD, for Intel's GPUs only")                                    \
  X(6022, CooperativeMatrixKHR, "matrices have no code yet")                                       \
  X(6118, JointMatrixINTEL, "matrices have no code yet")

/* Checks that modules with a capability are supported. INVALID_MODULE: they are not. */
specpi_compiler_result capability_check(uint32_t number);

#endif
