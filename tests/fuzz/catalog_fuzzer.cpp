// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog.h"
#include "fuzz/fuzz_input.h"
#include "fuzz/memory_file.h"
#include "service/settings.h"

#include <kiln/error.h>

#include <map>
#include <string>

using namespace kiln;

namespace {

/// More instances than anybody declares, few enough to go through.
constexpr std::size_t most_instances = 1000;

std::size_t combinations(const catalog::Module& module) {
    std::size_t count = 1;
    for (const auto& parameter : module.parameters) {
        count *= parameter.values.size();
        if (count > most_instances)
            return count;
    }
    return count;
}

void use(const catalog::Catalog& catalog, const catalog::Module& module) {
    try {
        catalog.find(module.name);
        if (combinations(module) > most_instances)
            return;
        for (const auto& instance : catalog.instances(module)) {
            instance.kernels();
            instance.defines();
            instance.options();
        }
    } catch (const Error& error) {
        promise(error.code() == ErrorCode::catalog, "the code of what a module's use throws");
    }
}

void read_catalog(const std::filesystem::path& file) {
    try {
        const base::Environment environment;
        const auto catalog =
            catalog::Catalog::load({&file, 1}, {{"set", "/somewhere"}}, environment);
        for (const auto& module : catalog.modules())
            use(catalog, module);
    } catch (const Error& error) {
        promise(error.code() == ErrorCode::catalog, "the code of a catalog that is refused");
        promise(!error.context("location").empty(), "where the catalog is refused");
    }
}

void read_configuration(const std::filesystem::path& file) {
    try {
        service::Settings settings;
        service::apply_configuration(settings, file, true);
    } catch (const Error& error) {
        promise(error.code() == ErrorCode::configuration, "the code of a refused configuration");
        promise(!error.context("location").empty(), "where the configuration is refused");
    }
}

} // namespace

/// One document is read as a catalog and as a configuration.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static MemoryFile file;
    file.write(fuzz_text(data, size));
    read_catalog(file.path());
    read_configuration(file.path());
    return 0;
}
