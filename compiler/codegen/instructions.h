/* The SPIR-V instructions that modules of kernels may have, by how specpi-codegen treats them. */
#ifndef CODEGEN_INSTRUCTIONS_H
#define CODEGEN_INSTRUCTIONS_H

/*
 * X(first, last): instructions that the translator reads. Instructions of extensions need a
 * capability (capabilities.h).
 */
#define CODEGEN_READ_INSTRUCTIONS(X)                                                               \
  X(0, 1)       /* OpNop, OpUndef */                                                               \
  X(5, 6)       /* OpName, OpMemberName */                                                         \
  X(11, 17)     /* OpExtInstImport to OpCapability */                                              \
  X(19, 23)     /* OpTypeVoid to OpTypeVector */                                                   \
  X(25, 28)     /* OpTypeImage to OpTypeArray */                                                   \
  X(30, 39)     /* OpTypeStruct to OpTypeForwardPointer */                                         \
  X(41, 46)     /* OpConstantTrue to OpConstantNull */                                             \
  X(48, 52)     /* OpSpecConstantTrue to OpSpecConstantOp */                                       \
  X(54, 57)     /* OpFunction to OpFunctionCall */                                                 \
  X(59, 59)     /* OpVariable */                                                                   \
  X(61, 67)     /* OpLoad to OpPtrAccessChain */                                                   \
  X(69, 75)     /* OpGenericPtrMemSemantics to OpGroupMemberDecorate */                            \
  X(77, 83)     /* OpVectorExtractDynamic to OpCopyObject */                                       \
  X(86, 86)     /* OpSampledImage */                                                               \
  X(88, 88)     /* OpImageSampleExplicitLod */                                                     \
  X(98, 99)     /* OpImageRead, OpImageWrite */                                                    \
  X(101, 104)   /* OpImageQueryFormat to OpImageQuerySize */                                       \
  X(109, 115)   /* OpConvertFToU to OpFConvert */                                                  \
  X(117, 124)   /* OpConvertPtrToU to OpBitcast */                                                 \
  X(126, 142)   /* OpSNegate to OpVectorTimesScalar */                                             \
  X(148, 152)   /* OpDot to OpSMulExtended */                                                      \
  X(154, 191)   /* OpAny to OpFUnordGreaterThanEqual */                                            \
  X(194, 200)   /* OpShiftRightLogical to OpNot */                                                 \
  X(204, 205)   /* OpBitReverse, OpBitCount */                                                     \
  X(224, 225)   /* OpControlBarrier, OpMemoryBarrier */                                            \
  X(227, 242)   /* OpAtomicLoad to OpAtomicXor */                                                  \
  X(245, 251)   /* OpPhi to OpSwitch */                                                            \
  X(253, 257)   /* OpReturn to OpLifetimeStop */                                                   \
  X(259, 271)   /* OpGroupAsyncCopy to OpGroupSMax */                                              \
  X(318, 319)   /* OpAtomicFlagTestAndSet, OpAtomicFlagClear */                                    \
  X(321, 321)   /* OpSizeOf */                                                                     \
  X(331, 332)   /* OpExecutionModeId, OpDecorateId */                                              \
  X(333, 364)   /* OpGroupNonUniformElect to OpGroupNonUniformLogicalXor */                        \
  X(400, 403)   /* OpCopyLogical to OpPtrDiff */                                                   \
  X(4421, 4422) /* OpSubgroupBallotKHR, OpSubgroupFirstInvocationKHR */                            \
  X(4428, 4432) /* OpSubgroupAllKHR to OpSubgroupReadInvocationKHR */                              \
  X(5571, 5576) /* OpSubgroupShuffleINTEL to OpSubgroupBlockWriteINTEL */                          \
  X(5614, 5615) /* OpAtomicFMinEXT, OpAtomicFMaxEXT */                                             \
  X(5630, 5631) /* OpAssumeTrueKHR, OpExpectKHR */                                                 \
  X(5818, 5820) /* OpVariableLengthArrayINTEL to OpRestoreMemoryINTEL */                           \
  X(5887, 5887) /* OpLoopControlINTEL */                                                           \
  X(5911, 5913) /* OpAliasDomainDeclINTEL to OpAliasScopeListDeclINTEL */                          \
  X(5949, 5949) /* OpFPGARegINTEL */                                                               \
  X(6035, 6035) /* OpAtomicFAddEXT */                                                              \
  X(6090, 6092) /* OpTypeStructContinuedINTEL to OpSpecConstantCompositeContinuedINTEL */          \
  X(6116, 6117) /* OpConvertFToBF16INTEL, OpConvertBF16ToFINTEL */                                 \
  X(6142, 6143) /* OpControlBarrierArriveINTEL, OpControlBarrierWaitINTEL */                       \
  X(6401, 6408) /* OpGroupIMulKHR to OpGroupLogicalXorKHR */

/*
 * X(number, name): instructions that need no capability beyond those of kernels, but that neither
 * the translator nor specpi-codegen supports.
 */
#define CODEGEN_UNREAD_INSTRUCTIONS(X)                                                             \
  X(60, ImageTexelPointer)                                                                         \
  X(95, ImageFetch)                                                                                \
  X(100, Image)                                                                                    \
  X(105, ImageQueryLod)                                                                            \
  X(106, ImageQueryLevels)                                                                         \
  X(107, ImageQuerySamples)                                                                        \
  X(116, QuantizeToF16)                                                                            \
  X(325, GetKernelLocalSizeForSubgroupCount)                                                       \
  X(326, GetKernelMaxNumSubgroups)

/* X(number, name): notes about the compiler and the source, which are left out. */
#define CODEGEN_NOTES(X)                                                                           \
  X(2, SourceContinued)                                                                            \
  X(3, Source)                                                                                     \
  X(4, SourceExtension)                                                                            \
  X(7, String)                                                                                     \
  X(8, Line)                                                                                       \
  X(10, Extension)                                                                                 \
  X(72, MemberDecorate)                                                                            \
  X(75, GroupMemberDecorate)                                                                       \
  X(317, NoLine)                                                                                   \
  X(330, ModuleProcessed)                                                                          \
  X(5632, DecorateString)                                                                          \
  X(5633, MemberDecorateString)

/*
 * X(number, name): decorations that affect code. All others are left out: they are for graphics or
 * other devices, or are notes.
 */
#define CODEGEN_DECORATIONS(X)                                                                     \
  X(1, SpecId)                                                                                     \
  X(10, CPacked)                                                                                   \
  X(11, BuiltIn)                                                                                   \
  X(19, Restrict)                                                                                  \
  X(20, Aliased)                                                                                   \
  X(21, Volatile)                                                                                  \
  X(22, Constant)                                                                                  \
  X(23, Coherent)                                                                                  \
  X(24, NonWritable)                                                                               \
  X(25, NonReadable)                                                                               \
  X(28, SaturatedConversion)                                                                       \
  X(38, FuncParamAttr)                                                                             \
  X(39, FPRoundingMode)                                                                            \
  X(40, FPFastMathMode)                                                                            \
  X(41, LinkageAttributes)                                                                         \
  X(42, NoContraction)                                                                             \
  X(44, Alignment)                                                                                 \
  X(45, MaxByteOffset)                                                                             \
  X(4469, NoSignedWrap)                                                                            \
  X(4470, NoUnsignedWrap)                                                                          \
  X(5822, FunctionRoundingModeINTEL)                                                               \
  X(5823, FunctionDenormModeINTEL)                                                                 \
  X(5914, AliasScopeINTEL)                                                                         \
  X(5915, NoAliasINTEL)                                                                            \
  X(6080, FunctionFloatingPointModeINTEL)

/* X(number, name): execution modes of kernels that affect code. All others are left out. */
#define CODEGEN_EXECUTION_MODES(X)                                                                 \
  X(17, LocalSize)                                                                                 \
  X(31, ContractionOff)                                                                            \
  X(33, Initializer)                                                                               \
  X(35, SubgroupSize)                                                                              \
  X(38, LocalSizeId)                                                                               \
  X(4459, DenormPreserve)                                                                          \
  X(4460, DenormFlushToZero)                                                                       \
  X(4461, SignedZeroInfNanPreserve)                                                                \
  X(4462, RoundingModeRTE)                                                                         \
  X(4463, RoundingModeRTZ)                                                                         \
  X(5620, RoundingModeRTPINTEL)                                                                    \
  X(5621, RoundingModeRTNINTEL)                                                                    \
  X(5622, FloatingPointModeALTINTEL)                                                               \
  X(5623, FloatingPointModeIEEEINTEL)

#endif
