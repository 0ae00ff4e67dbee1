// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fault_file_system.h"
#include "base/log.h"
#include "cache/cache.h"
#include "cubin/inspect.h"
#include "cubin/test_data.h"
#include "source/header_graph.h"
#include "source/scratch.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln::test {

/// Sources, three include roots and a compiler that always makes the same cubin: what the service
/// does around the cache, without a compiler.
class Project {
  public:
    /// `home` is where the sources lie within `scratch`: another one is a moved checkout.
    explicit Project(const Scratch& scratch, const std::string& home = "home/me/checkout",
                     const std::string& toolkit = "opt/cuda")
        : scratch_(scratch), home_(home), toolkit_(toolkit) {
        write("src/k.cu", "#include \"local.h\"\n#include \"../common/shared.h\"\n"
                          "#include <lib/a.h>\n#include <cuda_fake.h>\n#include CONFIG\n"
                          "#if __has_include(<opt.h>)\n#endif\n");
        write("src/local.h", "#pragma once\n");
        write("common/shared.h", "int shared;\n");
        write("first/other.h", "");
        write("second/lib/a.h", "int a;\n");
        write("second/cfg/fast.h", "int fast;\n");
        scratch.write(toolkit + "/include/cuda_fake.h", "int fake;\n");
        request.target = Target::parse("sm_90a");
        request.label = "k{dtype=float}";
        request.source = path("src/k.cu");
        request.roots = {{"source", path("src")},
                         {"I0", path("first")},
                         {"I1", path("second")},
                         {"cuda", scratch.path(toolkit + "/include")}};
        request.fields = {{"source", "k.cu"},
                          {"compiler", "nvrtc 13.0 0123456789abcdef"},
                          {"options", "-DA=1\n-DB=2\n--use_fast_math"},
                          {"environment", ""}};
    }

    std::filesystem::path path(const std::string& relative) const {
        return scratch_.path(home_ + '/' + relative);
    }
    void write(const std::string& relative, std::string_view text) const {
        scratch_.write(home_ + '/' + relative, text);
    }
    std::string relative(const std::string& name) const { return home_ + '/' + name; }
    void set(const std::string& label, const std::string& value) {
        for (auto& field : request.fields) {
            if (field.first == label)
                field.second = value;
        }
    }

    /// The inputs of a compile that began at `start`.
    cache::Collected collect(const cache::CompileStart& start, base::FileSystem& files,
                             base::DigestCache& digests) const {
        std::vector<source::Root> roots;
        for (std::size_t i = 1; i < request.roots.size(); ++i)
            roots.push_back({request.roots[i].name, request.roots[i].path, false});
        const std::vector<std::filesystem::path> opened{request.source,
                                                        path("src/local.h"),
                                                        path("common/shared.h"),
                                                        path("second/lib/a.h"),
                                                        path("second/cfg/fast.h"),
                                                        request.roots.back().path / "cuda_fake.h"};
        const source::Inputs inputs = source::inputs_of(
            request.source, opened, source::SearchPath(roots), files, start.time_ns);
        REQUIRE_MESSAGE(inputs.incomplete.empty(), inputs.incomplete);
        return cache::collect_inputs(inputs.files, inputs.absent, request, start, files, digests);
    }

    cache::Request request;

  private:
    const Scratch& scratch_;
    std::string home_;
    std::string toolkit_;
};

inline const std::vector<std::byte>& image_90a() {
    static const std::vector<std::byte> image = test_data("add_one.sm_90a.cubin");
    return image;
}

inline cache::Metadata metadata_90a() {
    cache::Metadata metadata;
    metadata.backend = "nvrtc";
    metadata.toolkit = "13.0.88";
    metadata.log = "warning: none\n";
    metadata.kernels = cubin::inspect(image_90a()).kernels;
    metadata.kernels.front().expressions = {"add_one"};
    return metadata;
}

/// Stamps as they will be in an hour, so that fresh files count as settled.
class AgedFileSystem : public FaultFileSystem {
  public:
    base::FileStatus status(const Path& path, std::error_code& error) override {
        constexpr std::int64_t hour_ns = 3'600'000'000'000;
        base::FileStatus status = FaultFileSystem::status(path, error);
        status.stamp.mtime_ns -= hour_ns;
        status.stamp.ctime_ns -= hour_ns;
        return status;
    }
};

/// A cache in a directory, with all that it needs.
struct Store {
    explicit Store(const Scratch& scratch, bool aged = false, std::string name = "cache")
        : directory(scratch.path(name)) {
        if (aged)
            files = std::make_unique<AgedFileSystem>();
        options.directory = directory;
        base::set_log_level("off"); // trouble and damage are what many tests are about
    }

    /// A new cache object, as in another process: nothing in memory.
    cache::Cache& open() {
        cache.reset();
        digests = std::make_unique<base::DigestCache>(*files, std::filesystem::path{});
        cache = std::make_unique<cache::Cache>(options, *files, *digests);
        return *cache;
    }
    cache::Cache& get() { return cache ? *cache : open(); }

    Cubin compile(const Project& project) {
        get();
        const auto start = cache::mark_compile_start(project.request, *files);
        const auto collected = project.collect(start, *files, *digests);
        REQUIRE_MESSAGE(collected.changed.empty(), collected.changed);
        return get().store(project.request, collected.inputs, metadata_90a(), image_90a());
    }
    cache::Cache::Lookup find(const Project& project) { return get().find(project.request); }

    std::filesystem::path directory;
    cache::CacheOptions options;
    std::unique_ptr<FaultFileSystem> files = std::make_unique<FaultFileSystem>();
    std::unique_ptr<base::DigestCache> digests;
    std::unique_ptr<cache::Cache> cache;
};

inline bool same_image(const Cubin& cubin) {
    return std::equal(cubin.image().begin(), cubin.image().end(), image_90a().begin(),
                      image_90a().end());
}

/// Every regular file below a directory.
inline std::vector<std::filesystem::path> files_below(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> files;
    if (std::filesystem::exists(directory)) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
            if (entry.is_regular_file())
                files.push_back(entry.path());
        }
    }
    return files;
}

} // namespace kiln::test
