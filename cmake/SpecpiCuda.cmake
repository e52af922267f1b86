# Finds ptxas, libdevice and CUDA's headers, which the CUDA plugin and its fake driver need, in the
# wheels of scripts/requirements.txt or in a toolkit. No library of CUDA is linked.

file(GLOB _wheels "${SPECPI_DEPS}/venv/lib/python3*/site-packages/nvidia")
find_path(SPECPI_CUDA_INCLUDE cudaTypedefs.h
  HINTS "${_wheels}/cuda_runtime/include" PATH_SUFFIXES nvidia/cuda_runtime/include PATHS /usr/local/cuda/include
  DOC "Where CUDA's cuda.h and cudaTypedefs.h are" REQUIRED)
find_program(SPECPI_PTXAS NAMES ptxas
  HINTS "${_wheels}/cuda_nvcc/bin" PATHS /usr/local/cuda/bin DOC "NVIDIA's assembler for PTX")
find_file(SPECPI_LIBDEVICE libdevice.10.bc
  HINTS "${_wheels}/cuda_nvcc/nvvm/libdevice" PATHS /usr/local/cuda/nvvm/libdevice
  DOC "NVIDIA's library of functions as bitcode")
