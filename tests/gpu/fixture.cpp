// SPDX-License-Identifier: Apache-2.0
#include "fixture.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace kiln::gpu {

const DeviceInfo& device_info() {
    static const auto list = devices();
    if (list.devices.empty())
        throw std::runtime_error(list.reason);
    return list.devices.at(tested_device);
}

std::string sanitizer_in_use() {
    const char* tool = std::getenv("KILN_GPU_SANITIZER");
    return tool != nullptr ? tool : "";
}

ServiceOptions service_options(const std::string& cache_directory) {
    ServiceOptions options;
    options.catalogs = {SHIPPED_CATALOG};
    options.cache_directory = cache_directory;
    return options;
}

Service& service() {
    static const base::TemporaryDirectory cache("kiln-gpu-cache-");
    static Service one(service_options(cache.path().string()));
    return one;
}

Request shipped(std::string module, std::map<std::string, std::string> parameters) {
    Request request;
    request.module = std::move(module);
    request.parameters = std::move(parameters);
    return request;
}

Request of_tests(const std::string& source, std::vector<std::string> kernels) {
    Request request;
    request.source = std::string(GPU_TEST_SOURCES) + "/" + source;
    request.kernels = std::move(kernels);
    return request;
}

Kernel kernel(const Request& request, const std::string& name) {
    ArchRequest arch;
    arch.target.capability = device_info().capability;
    const auto cubin = service().get(request, arch);
    auto result = service().kernel(request, name, tested_device);
    const auto& info = result.info();
    const auto& label = info.expressions.empty() ? info.symbol : info.expressions.front();
    Report::of_run().add_cubin(label, cubin);
    Report::of_run().set_toolkit(cubin.toolkit);
    return result;
}

std::vector<float> random_floats(std::size_t n, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(n);
    std::generate(values.begin(), values.end(), [&] { return normal(generator); });
    return values;
}

} // namespace kiln::gpu
