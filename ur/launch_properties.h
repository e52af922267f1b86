/* Properties of UR's launches, in the form of each release. */
#ifndef UR_LAUNCH_PROPERTIES_H
#define UR_LAUNCH_PROPERTIES_H

#include "result.h"

typedef struct launch_properties {
  bool is_cooperative;
} launch_properties;

/*
 * Read a list, or a chain, which may be NULL. UNSUPPORTED_FEATURE: the driver has no launches with
 * the property; INVALID_ENUMERATION: UR has no such property; INVALID_NULL_POINTER: the list is
 * missing.
 */
ur_result_t launch_properties_of_2025_0(uint32_t count, const ur_exp_launch_property_t_2025_0 *list,
                                        launch_properties *ret);
ur_result_t launch_properties_of_2025_1(uint32_t count, const ur_exp_launch_property_t *list,
                                        launch_properties *ret);
ur_result_t launch_properties_of_2025_3(uint32_t count, const ur_kernel_launch_property_t *list,
                                        launch_properties *ret);
ur_result_t launch_properties_of_chain(const ur_kernel_launch_ext_properties_t *first,
                                       launch_properties *ret);

#endif
