/* Where libdevice is, NVIDIA's library of bitcode for its GPUs. */
#ifndef CODE_LIBDEVICE_PLACE_H
#define CODE_LIBDEVICE_PLACE_H

/* Its path, in one of the places where a CUDA toolkit is installed; or "". */
const char *libdevice_place(void);

#endif
