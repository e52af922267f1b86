/*
 * The names of OpenCL's functions: what a device's code may call and nobody defines. A mangled name
 * has one of them as its whole name, without a namespace, or begins with one of the beginnings.
 */
#ifndef COMPILER_PASSES_OPENCL_NAMES_H
#define COMPILER_PASSES_OPENCL_NAMES_H

/* X(name): of OpenCL C 3.0, sections 6.15.1 to 6.15.8 and 6.15.13. */
#define OPENCL_NAMES(X)                                                                            \
  X(abs)                                                                                           \
  X(abs_diff) X(acos) X(acosh) X(acospi) X(add_sat) X(all) X(any) X(asin) X(asinh) X(asinpi)       \
      X(atan) X(atan2) X(atan2pi) X(atanh) X(atanpi) X(barrier) X(bitselect) X(cbrt) X(ceil) X(    \
          clamp) X(clz) X(copysign) X(cos) X(cosh) X(cospi) X(cross) X(ctz) X(degrees) X(distance) \
          X(dot) X(erf) X(erfc) X(exp) X(exp10) X(exp2) X(expm1) X(fabs) X(fast_distance)          \
              X(fast_length) X(fast_normalize) X(fdim) X(floor) X(fma) X(fmax) X(fmin) X(fmod) X(  \
                  fract) X(frexp) X(hadd) X(hypot) X(ilogb) X(isequal) X(isfinite) X(isgreater)    \
                  X(isgreaterequal) X(isinf) X(isless) X(islessequal) X(islessgreater) X(isnan)    \
                      X(isnormal) X(isnotequal) X(isordered) X(isunordered) X(ldexp) X(length)     \
                          X(lgamma) X(lgamma_r) X(log) X(log10) X(log1p) X(log2) X(logb) X(mad)    \
                              X(mad24) X(mad_hi) X(mad_sat) X(max) X(maxmag) X(mem_fence) X(min)   \
                                  X(minmag) X(mix) X(modf) X(mul24) X(mul_hi) X(nan) X(nextafter)  \
                                      X(normalize) X(popcount) X(pow) X(pown) X(powr) X(prefetch)  \
                                          X(printf) X(radians) X(read_mem_fence) X(remainder) X(   \
                                              remquo) X(rhadd) X(rint) X(rootn) X(rotate) X(round) \
                                              X(rsqrt) X(select) X(shuffle) X(shuffle2) X(sign)    \
                                                  X(signbit) X(sin) X(sincos) X(sinh) X(sinpi)     \
                                                      X(smoothstep) X(sqrt) X(step) X(sub_sat)     \
                                                          X(tan) X(tanh) X(tanpi) X(tgamma)        \
                                                              X(trunc) X(upsample)                 \
                                                                  X(wait_group_events)             \
                                                                      X(write_mem_fence)

/* X(beginning): families of functions. */
#define OPENCL_BEGINNINGS(X)                                                                       \
  X(__spirv_)                                                                                      \
  X(as_)                                                                                           \
  X(async_work_group_)                                                                             \
  X(atom_)                                                                                         \
  X(atomic_)                                                                                       \
  X(convert_)                                                                                      \
  X(get_)                                                                                          \
  X(half_)                                                                                         \
  X(intel_sub_group_)                                                                              \
  X(native_)                                                                                       \
  X(read_image)                                                                                    \
  X(sub_group_)                                                                                    \
  X(vload)                                                                                         \
  X(vstore)                                                                                        \
  X(work_group_)                                                                                   \
  X(write_image)

#endif
