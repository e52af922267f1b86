// Includes the PI headers like a plugin in C++.
#include <pi/pi.h>

static_assert(PI_FUNCTION_COUNT == 159, "the table of PI 15.47");
static_assert(sizeof(pi_plugin) == 1328, "what libsycl allocates");

int main() {
  pi_plugin plugin{};
  return plugin.PiFunctionTable.piPlatformsGet == nullptr ? 0 : 1;
}
