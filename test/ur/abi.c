/* Static assertions of the structures' layout, from a list of sizes and offsets. */
#include <ur/ur.h>

#define UR_STRUCT(name, size) _Static_assert(sizeof(name) == (size), #name);
#define UR_UNION(name, size) UR_STRUCT(name, size)
#define UR_MEMBER(owner, type, name, offset)                                                       \
  _Static_assert(offsetof(owner, name) == (offset), #owner "." #name);
#define UR_MEMBERS(owner, type, name, count, offset) UR_MEMBER(owner, type, name, offset)
#include <ur/ur_structs.def>

/* Every enumeration has 4 bytes, and every enumerator the number in the list. */
#define UR_ENUM(type) _Static_assert(sizeof(type) == 4, #type);
#define UR_VALUE(type, name, value, since, until)                                                  \
  _Static_assert(name == (value) && UR_RELEASE_##since <= UR_RELEASE_##until, #name);
#include <ur/ur_enums.def>

#define UR_FLAGS(name) _Static_assert(sizeof(name) == 4, #name);
#define UR_HANDLE(name) _Static_assert(sizeof(name) == 8, #name);
#include <ur/ur_types.def>

_Static_assert(sizeof(ur_bool_t) == 1 && sizeof(bool) == 1, "booleans");
_Static_assert(UR_RELEASE_COUNT == 7, "releases");
