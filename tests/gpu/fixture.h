// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/temporary_directory.h"
#include "report.h"

#include <kiln/device.h>
#include <kiln/service.h>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace kiln::gpu {

/// The device that is tested.
inline constexpr int tested_device = 0;
const DeviceInfo& device_info();

/// The tool of compute-sanitizer that this runs under (KILN_GPU_SANITIZER), or empty. Under it,
/// times mean nothing and kernels do not overlap.
std::string sanitizer_in_use();

/// A service with the shipped catalog and a cache of its own that is new in each process.
Service& service();
/// Options for another one; its cache in `cache_directory`.
ServiceOptions service_options(const std::string& cache_directory);

/// The catalog's module with these parameters.
Request shipped(std::string module, std::map<std::string, std::string> parameters = {});
/// One of the sources beside the tests.
Request of_tests(const std::string& source, std::vector<std::string> kernels = {});

/// From the service, for the tested device; its cubin goes into the report.
Kernel kernel(const Request& request, const std::string& name = {});

/// Waits; throws what an earlier launch brought about.
inline void wait() {
    synchronize(tested_device);
}

/// `n` of T on the device, poisoned with 0xee, with a guard behind them that nobody may write to.
template <typename T>
class DeviceVector {
  public:
    explicit DeviceVector(std::size_t n)
        : size_(n), buffer_(tested_device, n * sizeof(T) + guard_bytes) {
        const std::vector<std::byte> poison(buffer_.bytes(), poison_byte);
        buffer_.upload(poison);
    }
    explicit DeviceVector(const std::vector<T>& values) : DeviceVector(values.size()) {
        set(values);
    }
    void set(const std::vector<T>& values) { buffer_.upload(std::as_bytes(std::span(values))); }

    T* data() const { return buffer_.as<T>(); }
    /// Waits for the device, and checks the guard.
    std::vector<T> get() const {
        wait();
        std::vector<std::byte> bytes(buffer_.bytes());
        buffer_.download(bytes);
        const auto is_poison = [](std::byte byte) { return byte == poison_byte; };
        CHECK_MESSAGE(std::all_of(bytes.end() - guard_bytes, bytes.end(), is_poison),
                      "a kernel wrote past its output");
        std::vector<T> values(size_);
        std::memcpy(values.data(), bytes.data(), size_ * sizeof(T));
        return values;
    }

  private:
    static constexpr std::size_t guard_bytes = 64;
    static constexpr std::byte poison_byte{0xee};
    std::size_t size_;
    DeviceBuffer buffer_;
};

/// Normally distributed, the same in each run.
std::vector<float> random_floats(std::size_t n, unsigned seed);

inline LaunchConfig grid_of(std::uint64_t elements, std::uint32_t block) {
    LaunchConfig config;
    config.block.x = block;
    config.grid.x = static_cast<std::uint32_t>(elements / block + 1);
    return config;
}

/// The code of the error that `action` throws; fails the test where it throws none.
template <typename Action>
ErrorCode code_of(const Action& action, std::string* message = nullptr) {
    try {
        action();
    } catch (const Error& error) {
        if (message != nullptr)
            *message = error.message();
        return error.code();
    }
    FAIL_CHECK("nothing was thrown");
    return ErrorCode::internal;
}

} // namespace kiln::gpu
