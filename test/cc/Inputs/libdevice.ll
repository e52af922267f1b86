; What says that it was called: functions under libdevice's names, which give known numbers.
target triple = "nvptx64-nvidia-gpulibs"
define float @__nv_sinf(float %x) {
  ret float 4.2e+1
}
define double @__nv_pow(double %x, double %y) {
  ret double 4.2e+1
}
