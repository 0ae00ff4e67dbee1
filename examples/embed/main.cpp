// SPDX-License-Identifier: Apache-2.0
// Asks Kiln for a kernel for the device at hand, launches it, and checks the result.
#include <kiln/kiln.h>

#include <cstdio>
#include <vector>

int main() try {
    const kiln::Service service;
    const kiln::Request request{.module = "vector_add"};
    if (kiln::devices().devices.empty()) {
        const auto cubin = service.get(request, kiln::ArchRequest::parse("9.0"));
        std::printf("compiled for %s, %zu bytes; no device here, nothing was launched\n",
                    cubin.target.str().c_str(), cubin.image().size());
        return 0;
    }
    const auto add = service.kernel(request);
    constexpr unsigned n = 1 << 20;
    std::vector<float> a(n, 1.5f), b(n, 2.0f), sum(n);
    const std::size_t bytes = n * sizeof(float);
    kiln::DeviceBuffer da(0, bytes), db(0, bytes), dsum(0, bytes);
    da.upload(std::as_bytes(std::span(a)));
    db.upload(std::as_bytes(std::span(b)));
    add({.grid = {n / 256}, .block = {256}}, da.as<float>(), db.as<float>(), dsum.as<float>(), n);
    dsum.download(std::as_writable_bytes(std::span(sum)));
    for (const float value : sum) {
        if (value != 3.5f)
            return std::printf("wrong: %f\n", value), 1;
    }
    std::printf("launched %s on device 0: %u sums are right\n", add.info().symbol.c_str(), n);
} catch (const kiln::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
