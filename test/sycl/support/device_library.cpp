#include "device_library.h"

#include "../sycl_abi.h"

#include <deque>
#include <memory>

namespace specpi_test {
namespace {

/* The memory that a registered library points to. Deques never move their elements. */
struct storage {
  std::vector<device_image> images;
  std::deque<bytes> values;
  std::deque<std::string> texts;
  std::deque<std::vector<pi_device_binary_property_struct>> properties;
  std::deque<std::vector<pi_device_binary_property_set_struct>> sets;
  std::deque<std::vector<pi_offload_entry_struct>> entries;
  std::vector<pi_device_binary_struct> binaries;
  pi_device_binaries_struct library = {};

  char *text(std::string value) {
    return texts.emplace_back(std::move(value)).data();
  }
};

void append(bytes &to, const void *from, size_t size) {
  const auto *first = static_cast<const unsigned char *>(from);
  to.insert(to.end(), first, first + size);
}

/* Returns a BYTE_ARRAY property: 8 bytes with the payload's length in bits, then the payload. */
pi_device_binary_property_struct byte_array(storage &in, std::string name, const bytes &payload) {
  const uint64_t bits = payload.size() * 8;
  bytes value;
  append(value, &bits, sizeof bits);
  append(value, payload.data(), payload.size());
  bytes &kept = in.values.emplace_back(std::move(value));
  return {in.text(std::move(name)), kept.data(), PI_PROPERTY_TYPE_BYTE_ARRAY, kept.size()};
}

pi_device_binary_property_set_struct
property_set(storage &in, const char *name,
             std::vector<pi_device_binary_property_struct> properties) {
  auto &kept = in.properties.emplace_back(std::move(properties));
  return {in.text(name), kept.data(), kept.data() + kept.size()};
}

pi_device_binary_property_struct constant_property(storage &in, const spec_constant &constant) {
  bytes descriptors;
  for (const leaf &each : constant.leaves)
    append(descriptors, &each, sizeof each);
  return byte_array(in, constant.name, descriptors);
}

std::vector<pi_device_binary_property_set_struct> property_sets(storage &in,
                                                                const device_image &image) {
  std::vector<pi_device_binary_property_struct> constants;
  bytes defaults;
  for (const spec_constant &constant : image.constants) {
    constants.push_back(constant_property(in, constant));
    append(defaults, constant.default_value.data(), constant.default_value.size());
  }

  std::vector<pi_device_binary_property_set_struct> sets;
  if (!constants.empty()) {
    sets.push_back(property_set(in, PI_PROPERTY_SET_SPEC_CONST_MAP, std::move(constants)));
    sets.push_back(property_set(in, PI_PROPERTY_SET_SPEC_CONST_DEFAULT_VALUES_MAP,
                                {byte_array(in, "all", defaults)}));
  }
  return sets;
}

/* Returns whether an image is SPIR-V, whose format libsycl recognizes itself. */
bool is_spirv(const device_image &image) {
  static const unsigned char magic[] = {0x03, 0x02, 0x23, 0x07};
  return image.end - image.begin >= 4 && std::memcmp(image.begin, magic, sizeof magic) == 0;
}

pi_device_binary_struct binary(storage &in, const device_image &image) {
  std::vector<pi_offload_entry_struct> entries;
  entries.reserve(image.kernels.size());
  for (const std::string &kernel : image.kernels)
    entries.push_back({nullptr, in.text(kernel), 0, 0, 0});
  auto &kept_entries = in.entries.emplace_back(std::move(entries));
  auto &kept_sets = in.sets.emplace_back(property_sets(in, image));

  pi_device_binary_struct result = {};
  result.Version = PI_DEVICE_BINARY_VERSION;
  result.Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL;
  result.Format = is_spirv(image) ? PI_DEVICE_BINARY_TYPE_NONE : PI_DEVICE_BINARY_TYPE_SPIRV;
  result.DeviceTargetSpec = PI_DEVICE_BINARY_TARGET_SPIRV64;
  result.CompileOptions = "";
  result.LinkOptions = "";
  result.BinaryStart = image.begin;
  result.BinaryEnd = image.end;
  result.EntriesBegin = kept_entries.data();
  result.EntriesEnd = kept_entries.data() + kept_entries.size();
  result.PropertySetsBegin = kept_sets.data();
  result.PropertySetsEnd = kept_sets.data() + kept_sets.size();
  return result;
}

} // namespace

void register_device_library(std::vector<device_image> images) {
  /* Never destroyed, because libsycl still reads it while it shuts down. */
  static auto &libraries = *new std::deque<std::unique_ptr<storage>>;
  storage &kept = *libraries.emplace_back(std::make_unique<storage>());
  kept.images = std::move(images);
  for (const device_image &image : kept.images)
    kept.binaries.push_back(binary(kept, image));
  kept.library.Version = PI_DEVICE_BINARIES_VERSION;
  kept.library.NumDeviceBinaries = static_cast<uint16_t>(kept.binaries.size());
  kept.library.DeviceBinaries = kept.binaries.data();
  __sycl_register_lib(&kept.library);
}

} // namespace specpi_test
