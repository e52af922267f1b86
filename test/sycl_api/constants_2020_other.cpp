// The other unit of constants_2020.
#include "constants_2020.hpp"

LOCAL_CONSTANT(70)

DEFINE_SEEN(seen_by_other_unit, OtherUnit, ids_of_other_unit)
