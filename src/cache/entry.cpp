// SPDX-License-Identifier: Apache-2.0
#include "cache/entry.h"

#include "cache/framed.h"
#include "cubin/inspect.h"

#include <kiln/error.h>

#include <fmt/format.h>

namespace kiln::cache {

namespace {

using nlohmann::json;

constexpr std::string_view magic = "KILNENT1";
constexpr std::uint32_t version = 1;
constexpr std::size_t lengths_bytes = 16;
constexpr std::size_t trailer_bytes = lengths_bytes + 16 + 4 + magic.size();
static_assert(trailer_bytes == 44);

[[noreturn]] void invalid(std::string message) {
    throw Error(ErrorCode::cubin_invalid, std::move(message));
}

json encode_kernel(const KernelInfo& kernel) {
    json parameters = json::array();
    for (const KernelParameter& parameter : kernel.parameters)
        parameters.push_back({parameter.offset, parameter.size});
    return {{"symbol", kernel.symbol},
            {"expressions", kernel.expressions},
            {"registers", kernel.registers},
            {"shared", kernel.static_shared_bytes},
            {"local", kernel.local_bytes},
            {"threads", kernel.max_threads_per_block},
            {"parameters", std::move(parameters)}};
}

KernelInfo decode_kernel(const json& value) {
    KernelInfo kernel;
    kernel.symbol = value.at("symbol").get<std::string>();
    kernel.expressions = value.at("expressions").get<std::vector<std::string>>();
    kernel.registers = value.at("registers").get<std::uint32_t>();
    kernel.static_shared_bytes = value.at("shared").get<std::uint32_t>();
    kernel.local_bytes = value.at("local").get<std::uint32_t>();
    kernel.max_threads_per_block = value.at("threads").get<std::uint32_t>();
    for (const json& parameter : value.at("parameters"))
        kernel.parameters.push_back(
            {parameter.at(0).get<std::uint32_t>(), parameter.at(1).get<std::uint32_t>()});
    return kernel;
}

json encode(const Metadata& metadata) {
    json kernels = json::array();
    for (const KernelInfo& kernel : metadata.kernels)
        kernels.push_back(encode_kernel(kernel));
    json fields = json::array();
    for (const auto& [label, value] : metadata.fields)
        fields.push_back(json::array({label, value}));
    return {{"key", metadata.key},           {"target", metadata.target.str()},
            {"label", metadata.label},       {"backend", metadata.backend},
            {"toolkit", metadata.toolkit},   {"log", metadata.log},
            {"ptx", metadata.ptx},           {"created_ns", metadata.created_ns},
            {"kernels", std::move(kernels)}, {"fields", std::move(fields)}};
}

Metadata decode(const json& value) {
    Metadata metadata;
    metadata.key = value.at("key").get<std::string>();
    metadata.target = Target::parse(value.at("target").get<std::string>());
    metadata.label = value.at("label").get<std::string>();
    metadata.backend = value.at("backend").get<std::string>();
    metadata.toolkit = value.at("toolkit").get<std::string>();
    metadata.log = value.at("log").get<std::string>();
    metadata.ptx = value.at("ptx").get<std::string>();
    metadata.created_ns = value.at("created_ns").get<std::int64_t>();
    for (const json& kernel : value.at("kernels"))
        metadata.kernels.push_back(decode_kernel(kernel));
    for (const json& field : value.at("fields"))
        metadata.fields.emplace_back(field.at(0).get<std::string>(),
                                     field.at(1).get<std::string>());
    return metadata;
}

struct Parts {
    std::span<const std::byte> image;
    std::span<const std::byte> metadata;
};

/// The parts of a whole, undamaged file.
Parts split(std::span<const std::byte> file) {
    if (file.size() < trailer_bytes)
        invalid(fmt::format("an entry of {} bytes is cut short", file.size()));
    const auto trailer = file.last(trailer_bytes);
    const std::string_view found(
        reinterpret_cast<const char*>(trailer.data()) + trailer_bytes - magic.size(), magic.size());
    if (found != magic)
        invalid("the file does not end as an entry does");
    if (const std::uint32_t there = read_u32(trailer, 32); there != version)
        invalid(fmt::format("the entry has format {}, this is a reader of {}", there, version));
    const base::Checksum checksum =
        base::checksum(file.first(file.size() - trailer_bytes + lengths_bytes));
    if (checksum.low != read_u64(trailer, 16) || checksum.high != read_u64(trailer, 24))
        invalid("the entry's checksum does not match its contents");
    const std::uint64_t content = file.size() - trailer_bytes;
    const std::uint64_t image = read_u64(trailer, 0);
    const std::uint64_t metadata = read_u64(trailer, 8);
    if (image > content || metadata != content - image)
        invalid("the entry's lengths do not add up");
    return {file.first(image), file.subspan(image, metadata)};
}

Metadata read_metadata(std::span<const std::byte> bytes) {
    const auto value = parse_cbor(bytes);
    if (!value)
        invalid("the entry's metadata is no CBOR");
    try {
        return decode(*value);
    } catch (const json::exception& error) {
        invalid(fmt::format("the entry's metadata is of another shape: {}", error.what()));
    } catch (const Error& error) {
        invalid(fmt::format("the entry's metadata: {}", error.message()));
    }
}

/// Verifies a file and gives its metadata and the length of its image.
std::pair<Metadata, std::size_t> verified(std::span<const std::byte> file,
                                          const std::string& expected_key,
                                          const Target& expected_target) {
    const Parts parts = split(file);
    Metadata metadata = read_metadata(parts.metadata);
    if (metadata.key != expected_key)
        invalid(fmt::format("the entry is of the key {}", metadata.key));
    if (metadata.target != expected_target)
        invalid(fmt::format("the entry is for {}, not {}", metadata.target.str(),
                            expected_target.str()));
    std::vector<std::string> symbols;
    for (const KernelInfo& kernel : metadata.kernels)
        symbols.push_back(kernel.symbol);
    try {
        const cubin::Image image = cubin::inspect(parts.image);
        cubin::verify(image, expected_target, symbols);
    } catch (const Error& error) {
        throw Error(ErrorCode::cubin_invalid, error.message(), error.hint(), error.context());
    }
    return {std::move(metadata), parts.image.size()};
}

} // namespace

std::vector<std::byte> encode_entry(const Metadata& metadata, std::span<const std::byte> image) {
    const std::vector<std::uint8_t> encoded = json::to_cbor(encode(metadata));
    std::vector<std::byte> file;
    file.reserve(image.size() + encoded.size() + trailer_bytes);
    file.insert(file.end(), image.begin(), image.end());
    for (const std::uint8_t byte : encoded)
        file.push_back(static_cast<std::byte>(byte));
    append_u64(file, image.size());
    append_u64(file, encoded.size());
    const base::Checksum checksum = base::checksum(file);
    append_u64(file, checksum.low);
    append_u64(file, checksum.high);
    append_u32(file, version);
    for (const char c : magic)
        file.push_back(static_cast<std::byte>(c));
    return file;
}

Entry decode_entry(std::span<const std::byte> file, const std::string& expected_key,
                   const Target& expected_target) {
    return decode_entry(std::vector<std::byte>(file.begin(), file.end()), expected_key,
                        expected_target);
}

Entry decode_entry(std::vector<std::byte>&& file, const std::string& expected_key,
                   const Target& expected_target) {
    auto [metadata, length] = verified(file, expected_key, expected_target);
    file.resize(length);
    return {std::move(metadata), std::move(file)};
}

Metadata decode_metadata(std::span<const std::byte> file) {
    return read_metadata(split(file).metadata);
}

} // namespace kiln::cache
