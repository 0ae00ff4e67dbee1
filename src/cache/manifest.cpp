// SPDX-License-Identifier: Apache-2.0
#include "cache/manifest.h"

#include "cache/framed.h"

#include <algorithm>
#include <cstring>

namespace kiln::cache {

namespace {

using nlohmann::json;

constexpr std::string_view magic = "KILNMAN1";
constexpr std::uint32_t version = 1;
constexpr std::size_t most_sets = 16;
constexpr std::size_t digest_bytes = 32;
constexpr std::size_t stamp_bytes = 5 * 8 + 1;

std::uint16_t index_of(std::vector<std::string>& roots, const std::string& root) {
    const auto place = std::find(roots.begin(), roots.end(), root);
    const auto index = static_cast<std::uint16_t>(place - roots.begin());
    if (place == roots.end())
        roots.push_back(root);
    return index;
}

void append_name(std::vector<std::byte>& bytes, std::uint16_t root, const std::string& relative) {
    bytes.push_back(static_cast<std::byte>(root & 0xff));
    bytes.push_back(static_cast<std::byte>(root >> 8));
    const auto text = std::as_bytes(std::span(relative));
    bytes.insert(bytes.end(), text.begin(), text.end());
    bytes.push_back(std::byte{0});
}

json encode_set(const Manifest::Seen& seen) {
    std::vector<std::string> roots;
    std::vector<std::byte> names, digests, stamps, absent;
    for (const Input& file : seen.inputs.files) {
        append_name(names, index_of(roots, file.name.root), file.name.relative);
        digests.insert(digests.end(), file.digest.bytes.begin(), file.digest.bytes.end());
        for (const std::uint64_t value : {file.stamp.device, file.stamp.inode, file.stamp.size,
                                          static_cast<std::uint64_t>(file.stamp.mtime_ns),
                                          static_cast<std::uint64_t>(file.stamp.ctime_ns)})
            append_u64(stamps, value);
        stamps.push_back(static_cast<std::byte>(file.settled));
    }
    for (const AbsentNames& group : seen.inputs.absent) {
        append_name(absent, index_of(roots, group.missing.root), group.missing.relative);
        const auto below = std::as_bytes(std::span(group.below));
        absent.insert(absent.end(), below.begin(), below.end());
        absent.push_back(std::byte{0});
    }
    return {{"key", binary(seen.key.bytes)}, {"roots", roots},
            {"names", binary(names)},        {"digests", binary(digests)},
            {"stamps", binary(stamps)},      {"absent", binary(absent)}};
}

/// Takes what a column of names holds, piece by piece; false where it ends too soon.
class Names {
  public:
    Names(std::span<const std::byte> bytes, const std::vector<std::string>& roots)
        : rest_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), roots_(roots) {}

    bool empty() const noexcept { return rest_.empty(); }
    bool text(std::string_view& text) {
        const std::size_t end = rest_.find('\0');
        if (end == std::string_view::npos)
            return false;
        text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return true;
    }
    bool name(LogicalPath& name) {
        if (rest_.size() < 2)
            return false;
        const auto root = static_cast<std::size_t>(static_cast<unsigned char>(rest_[0])) |
                          static_cast<std::size_t>(static_cast<unsigned char>(rest_[1])) << 8;
        rest_.remove_prefix(2);
        std::string_view relative;
        if (root >= roots_.size() || !text(relative))
            return false;
        name.root = roots_[root];
        name.relative = relative;
        return true;
    }

  private:
    std::string_view rest_;
    const std::vector<std::string>& roots_;
};

bool decode_digest(std::span<const std::byte> bytes, base::Digest& digest) {
    if (bytes.size() != digest_bytes)
        return false;
    std::copy(bytes.begin(), bytes.end(), digest.bytes.begin());
    return true;
}

bool decode_files(const json& set, const std::vector<std::string>& roots,
                  std::vector<Input>& files) {
    const auto digests = bytes_of(set.at("digests"));
    const auto stamps = bytes_of(set.at("stamps"));
    const std::size_t count = digests.size() / digest_bytes;
    if (digests.size() != count * digest_bytes || stamps.size() != count * stamp_bytes)
        return false;
    Names names(bytes_of(set.at("names")), roots);
    files.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        Input& file = files[i];
        const auto stamp = stamps.subspan(i * stamp_bytes, stamp_bytes);
        if (!names.name(file.name) ||
            !decode_digest(digests.subspan(i * digest_bytes, digest_bytes), file.digest))
            return false;
        file.stamp = {read_u64(stamp, 0), read_u64(stamp, 8), read_u64(stamp, 16),
                      static_cast<std::int64_t>(read_u64(stamp, 24)),
                      static_cast<std::int64_t>(read_u64(stamp, 32))};
        file.settled = stamp.back() != std::byte{0};
    }
    return names.empty();
}

bool decode_absent(const json& set, const std::vector<std::string>& roots,
                   std::vector<AbsentNames>& absent) {
    Names names(bytes_of(set.at("absent")), roots);
    while (!names.empty()) {
        AbsentNames& group = absent.emplace_back();
        if (!names.name(group.missing))
            return false;
        for (std::string_view name;;) {
            if (!names.text(name))
                return false;
            if (name.empty())
                break;
            group.below.append(name).push_back('\0');
        }
    }
    return true;
}

} // namespace

void Manifest::remember(Seen seen) {
    std::erase_if(sets, [&](const Seen& other) { return other.key == seen.key; });
    sets.insert(sets.begin(), std::move(seen));
    if (sets.size() > most_sets)
        sets.resize(most_sets);
}

std::vector<std::byte> encode_manifest(const Manifest& manifest) {
    json sets = json::array();
    for (const Manifest::Seen& seen : manifest.sets)
        sets.push_back(encode_set(seen));
    return frame({{"request", binary(manifest.request.bytes)}, {"sets", std::move(sets)}}, magic,
                 version);
}

std::optional<Manifest> decode_manifest(std::span<const std::byte> file,
                                        const base::Digest& request) {
    const auto payload = unframe(file, magic, version);
    if (!payload)
        return std::nullopt;
    try {
        Manifest manifest;
        if (!decode_digest(bytes_of(payload->at("request")), manifest.request) ||
            manifest.request != request || payload->at("sets").size() > most_sets)
            return std::nullopt;
        for (const json& set : payload->at("sets")) {
            Manifest::Seen& seen = manifest.sets.emplace_back();
            const auto roots = set.at("roots").get<std::vector<std::string>>();
            if (!decode_digest(bytes_of(set.at("key")), seen.key) ||
                !decode_files(set, roots, seen.inputs.files) ||
                !decode_absent(set, roots, seen.inputs.absent))
                return std::nullopt;
        }
        return manifest;
    } catch (const json::exception&) {
        return std::nullopt; // sound CBOR of another shape
    }
}

} // namespace kiln::cache
