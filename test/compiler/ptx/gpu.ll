; A GPU that LLVM does not know yet is treated as an earlier one; other names are refused.
; RUN: %lower --mode=default --emit=ptx %s | FileCheck %s --check-prefix=SM80
; RUN: %lower --mode=default --emit=ptx --gpu-arch=sm_61 %s | FileCheck %s --check-prefix=SM61
; RUN: %lower --mode=default --emit=ptx --gpu-arch=sm_121 %s | FileCheck %s --check-prefix=LATEST
; RUN: not %lower --mode=default --emit=ptx --gpu-arch=sm_88 %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %lower --mode=default --emit=ptx --gpu-arch=gfx900 %s 2>&1 | FileCheck %s --check-prefix=OTHER
; RUN: not %lower --mode=default --emit=ptx --gpu-arch= %s 2>&1 | FileCheck %s --check-prefix=EMPTY
; SM80: .target sm_80
; SM61: .target sm_61
; LATEST: .version {{[678]}}.
; LATEST: .target sm_{{86|90}}
; UNKNOWN: error: the GPU 'sm_88' is not known; one is called e.g. 'sm_80' (SPECPI_COMPILER_ERROR_INVALID_TARGET)
; OTHER: error: the GPU 'gfx900' is not known; one is called e.g. 'sm_80' (SPECPI_COMPILER_ERROR_INVALID_TARGET)
; EMPTY: error: the GPU '' is not known; one is called e.g. 'sm_80' (SPECPI_COMPILER_ERROR_INVALID_TARGET)
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k() {
  ret void
}
