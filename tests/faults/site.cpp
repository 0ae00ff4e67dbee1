// SPDX-License-Identifier: Apache-2.0
#include "faults/site.h"

#include "cache/entry.h"
#include "cache/framed.h"
#include "cache/layout.h"
#include "cache/manifest.h"
#include "cubin/inspect.h"

#include <kiln/error.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace kiln::test {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void put_text(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

void replace_text(const fs::path& path, const std::string& text) {
    const fs::path beside = path.string() + ".new";
    put_text(beside, text);
    fs::rename(beside, path);
}

bool same_bytes(const Cubin& cubin, const std::vector<std::byte>& image) {
    return std::equal(cubin.image().begin(), cubin.image().end(), image.begin(), image.end());
}

Site::Site(Path root, int kernels) : root_(std::move(root)), kernels_(kernels) {
    fs::create_directories(root_ / "src");
    if (!fs::exists(header()))
        put_text(header(), "int shared;\n");
    for (int i = 0; i < kernels_; ++i) {
        if (!fs::exists(source(i)))
            put_text(source(i), "#include \"shared.h\"\n// kernel " + std::to_string(i) + "\n");
    }
}

Site::Path Site::source(int kernel) const {
    return root_ / "src" / ("k" + std::to_string(kernel) + ".cu");
}

cache::Request Site::request(int kernel) const {
    cache::Request request;
    request.target = Target::parse("sm_90a");
    request.label = "k" + std::to_string(kernel);
    request.source = source(kernel);
    request.roots = {{"source", root_ / "src"}};
    request.fields = {{"source", request.source.filename().string()},
                      {"compiler", "nvrtc 13.0 0123456789abcdef"},
                      {"options", "-DA=1"}};
    return request;
}

std::vector<std::byte> Site::image_of(const std::string& source, const std::string& header) {
    static const std::string whole = text_of(fs::path(KILN_TEST_DATA) / "add_one.sm_90a.cubin");
    const std::string mark = base::sha256(source + '\0' + header).hex();
    const auto bytes = std::as_bytes(std::span(whole));
    std::vector<std::byte> image(bytes.begin(), bytes.end());
    // Behind the last section, where no reader looks and every comparison does.
    const auto tail = std::as_bytes(std::span(mark));
    image.insert(image.end(), tail.begin(), tail.end());
    return image;
}

std::vector<std::byte> Site::image(int kernel) const {
    return image_of(text_of(source(kernel)), text_of(header()));
}

Cubin Site::get(Process& process, int kernel, int compile_ms, int wait_ms) const {
    const cache::Request asked = request(kernel);
    if (auto found = process.cache.find(asked); found.hit)
        return *found.hit;
    const auto flight = process.cache.single_flight(asked, wait_ms);
    if (auto found = process.cache.find(asked, true); found.hit)
        return *found.hit;
    const auto start = cache::mark_compile_start(asked, process.files);
    std::vector<std::byte> image = this->image(kernel);
    if (compile_ms > 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(compile_ms));
    const std::vector<fs::path> opened{source(kernel), header()};
    auto collected =
        cache::collect_inputs(opened, {}, asked, start, process.files, process.digests);
    std::optional<cache::InputSet> inputs;
    if (collected.changed.empty())
        inputs = std::move(collected.inputs);
    cache::Metadata metadata;
    metadata.backend = "nvrtc";
    metadata.toolkit = "13.0.88";
    metadata.kernels = cubin::inspect(image).kernels;
    return process.cache.store(asked, inputs, std::move(metadata), std::move(image));
}

namespace {

std::vector<std::byte> bytes_of_file(const fs::path& path) {
    const std::string text = text_of(path);
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// Empty where the file is whole.
std::string fault_of(const fs::path& path, const fs::path& base, Inspection& seen) {
    const fs::path place = path.lexically_relative(base);
    const std::string room = place.begin()->string();
    const std::string name = path.filename().string();
    if (cache::is_target_folder(room)) {
        ++seen.entries;
        if (!cache::is_entry_name(name))
            return "is no entry's name";
        cache::decode_entry(bytes_of_file(path), path.stem().string(), Target::parse(room));
    } else if (room == "manifests") {
        ++seen.manifests;
        const auto digest = base::Digest::from_hex(name);
        if (!digest || !cache::decode_manifest(bytes_of_file(path), *digest))
            return "no manifest can be read from it";
    } else if (room == "latest") {
        ++seen.records;
        if (!cache::unframe(bytes_of_file(path), "KILNLST1", 1))
            return "no record can be read from it";
    } else if (room == "counters") {
        const std::string text = text_of(path);
        if (text.empty() || text.back() != '\n')
            return "its last line is cut short";
    } else if (room == "quarantine") {
        ++seen.quarantined;
    }
    return {};
}

} // namespace

Inspection inspect_directory(const fs::path& directory) {
    Inspection seen;
    const fs::path base = directory / "v1";
    if (!fs::exists(base))
        return seen;
    for (const auto& file : fs::recursive_directory_iterator(base)) {
        if (!file.is_regular_file())
            continue;
        if (file.path().filename().string().starts_with(base::staging_prefix)) {
            ++seen.staging;
            continue;
        }
        std::string fault;
        try {
            if (!text_of(file.path()).ends_with(damage_mark))
                fault = fault_of(file.path(), base, seen);
        } catch (const Error& error) {
            fault = error.message();
        }
        if (!fault.empty())
            seen.faults.push_back(file.path().string() + ": " + fault);
    }
    return seen;
}

} // namespace kiln::test
