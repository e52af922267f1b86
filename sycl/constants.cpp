// Values of specialization constants of all proposals.
#include <sycl/sycl.hpp>

namespace sycl::detail {

const constant_values *running_constants() noexcept {
  return static_cast<const constant_values *>(specpiThreadGet()->constants);
}

void constant_values::set(const symbolic_id &id, const void *value, std::size_t size) {
  const auto *bytes = static_cast<const unsigned char *>(value);
  for (entry &e : entries_)
    if (e.id == id)
      return e.bytes.assign(bytes, bytes + size);
  entries_.push_back({id, {bytes, bytes + size}});
}

void constant_values::set(const constant_values &others) {
  for (const entry &e : others.entries_)
    set(e.id, e.bytes.data(), e.bytes.size());
}

void constant_values::add(const constant_values &others) {
  for (const entry &e : others.entries_)
    if (!find(e.id))
      set(e.id, e.bytes.data(), e.bytes.size());
}

const constant_values::entry *constant_values::find(const symbolic_id &id) const noexcept {
  for (const entry &e : entries_)
    if (e.id == id)
      return &e;
  return nullptr;
}

const constant_values::entry *constant_values::find(const char *id) const noexcept {
  for (const entry &e : entries_)
    if (std::strcmp(e.id.c_str(), id) == 0)
      return &e;
  return nullptr;
}

bool constant_values::has(const symbolic_id &id, const void *value,
                          std::size_t size) const noexcept {
  const entry *there = find(id);
  return there && there->bytes.size() == size && std::memcmp(there->bytes.data(), value, size) == 0;
}

std::string type_text(const std::type_index &type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> text(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free);
  return text ? text.get() : type.name();
}

std::size_t program_constant::size_for(std::size_t size) const noexcept {
  return bytes.size() > size && bytes.size() - size <= padding ? size : bytes.size();
}

std::string program_constant::name() const {
  return number ? "with number " + std::to_string(*number) : id;
}

std::string program_constant::value() const {
  return "a " + type_text(type) + " of " + std::to_string(bytes.size()) + " bytes";
}

void program_constants::set(program_constant constant, const std::string &program) {
  for (program_constant &there : all_) {
    if (there.id != constant.id || there.number != constant.number)
      continue;
    if (there.type != constant.type)
      throw experimental::spec_const_error(
          "constant " + constant.name() + " of " + program + " was set to " + there.value() +
          " and keeps its type; " + constant.value() + " was given");
    there.bytes.swap(constant.bytes);
    return;
  }
  all_.push_back(std::move(constant));
}

void program_constants::apply(const device_image_impl &image, const std::string &kernel,
                              const std::string &program) const {
  apply(image.bundle(), image.images(), image.constants(), kernel, program);
}

void program_constants::check_for_host(const std::string &kernel,
                                       const std::string &program) const {
  for (specpi_image image : registered_images())
    if (has_kernel(image, kernel))
      return apply(nullptr, {image}, list<specpi_constant>(specpiImageGetConstants, image), kernel,
                   program);
}

constant_values program_constants::named() const {
  constant_values values;
  for (const program_constant &c : all_)
    if (!c.number)
      values.set(c.id, c.bytes.data(), c.bytes.size());
  return values;
}

void program_constants::apply(specpi_bundle bundle, const std::vector<specpi_image> &images,
                              const std::vector<specpi_constant> &constants,
                              const std::string &kernel, const std::string &program) const {
  for (const program_constant &c : all_) {
    if (c.number)
      set_number(c, bundle, constants, program);
    else
      set_name(c, bundle, constants, program);
  }
  const auto is_required = [&](const specpi_constant &c) {
    return std::any_of(images.begin(), images.end(),
                       [&](specpi_image image) { return needs_value(image, kernel, c.name); });
  };
  for (const specpi_constant &c : constants)
    if (!has(c) && is_required(c))
      throw experimental::spec_const_error("constant " + std::string(c.name) + " of " + program +
                                           " has no default and was not set; it takes " +
                                           std::to_string(c.size) + " bytes");
}

void program_constants::set_name(const program_constant &c, specpi_bundle bundle,
                                 const std::vector<specpi_constant> &constants,
                                 const std::string &program) {
  for (const specpi_constant &there : constants) {
    if (c.id != there.name)
      continue;
    const std::size_t size = c.size_for(there.size);
    if (bundle)
      check_set(specpiBundleSet(bundle, there.name, size, c.bytes.data()), c, program);
    else if (size != there.size)
      throw experimental::spec_const_error(
          "constant " + c.name() + " of " + program + " cannot be " + c.value() + ": it takes " +
          std::to_string(there.size) + " bytes, " + std::to_string(size) + " given");
  }
}

void program_constants::set_number(const program_constant &c, specpi_bundle bundle,
                                   const std::vector<specpi_constant> &constants,
                                   const std::string &program) {
  std::string known;
  for (const specpi_constant &there : constants)
    for (std::size_t i = 0; i < there.leaf_count; i++) {
      const specpi_leaf &leaf = there.leaves[i];
      if (leaf.id == PI_SPEC_ID_PADDING)
        continue;
      if (c.number != leaf.id) {
        known += (known.empty() ? "it has " : ", ") + std::to_string(leaf.id);
        continue;
      }
      if (leaf.size != c.bytes.size())
        throw experimental::spec_const_error("constant " + c.name() + " of " + program + " takes " +
                                             std::to_string(leaf.size) + " bytes, " + c.value() +
                                             " was given");
      if (bundle)
        check_set(specpiBundleSetLeaf(bundle, there.name, leaf.offset, leaf.size, c.bytes.data()),
                  c, program);
      return;
    }
  throw experimental::spec_const_error("there is no constant " + c.name() + " in " + program +
                                       ", " + (known.empty() ? "it has none" : known));
}

void program_constants::check_set(specpi_result result, const program_constant &c,
                                  const std::string &program) {
  if (result == SPECPI_ERROR_INVALID_SIZE)
    throw experimental::spec_const_error("constant " + c.name() + " of " + program + " cannot be " +
                                         c.value() + ": " + specpiGetLastError());
  check(result);
}

bool program_constants::has(const specpi_constant &constant) const {
  const auto is_set = [&](const specpi_leaf &leaf) {
    for (const program_constant &c : all_)
      if (c.number == leaf.id)
        return true;
    return leaf.id == PI_SPEC_ID_PADDING;
  };
  for (const program_constant &c : all_)
    if (!c.number && c.id == constant.name)
      return true;
  for (std::size_t i = 0; i < constant.leaf_count; i++)
    if (!is_set(constant.leaves[i]))
      return false;
  return true;
}

} // namespace sycl::detail
