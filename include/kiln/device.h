// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/arch.h>
#include <kiln/cubin.h>
#include <kiln/export.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

struct CUstream_st;

namespace kiln {

/// One device as the driver shows it. The index is the driver's, after CUDA_VISIBLE_DEVICES.
struct KILN_API DeviceInfo {
    int index = 0;
    std::string name;
    std::string uuid; ///< `GPU-...`
    ComputeCapability capability;
    std::uint64_t memory_bytes = 0;
    std::uint32_t shared_bytes_per_block = 0; ///< with opt-in
    bool integrated = false;
    bool mig = false;
};

/// The devices of this machine and the driver's version.
struct KILN_API DeviceList {
    std::vector<DeviceInfo> devices;
    std::string driver_version; ///< CUDA version the driver serves: `13.0`; empty: no driver
    std::string reason;         ///< where there is no device: why, in one sentence
};

/// Asks the driver (cuInit, no context). Never throws for "no driver" or "no device": that is an
/// empty list with a reason.
KILN_API DeviceList devices();

/// Grid and block in blocks and threads.
struct KILN_API Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
};

/// How to launch. Everything but grid and block may be left as it is.
struct KILN_API LaunchConfig {
    Dim3 grid;
    Dim3 block;
    std::uint32_t dynamic_shared_bytes = 0; ///< more than 48 KiB is opted into for the caller
    CUstream_st* stream = nullptr;          ///< a CUstream or cudaStream_t of the same context
    Dim3 cluster{0, 0, 0};                  ///< blocks of a cluster; x = 0: none
    bool cooperative = false;
    bool programmatic_stream_serialization = false; ///< programmatic dependent launch
};

/// A kernel that is loaded for a device and can be launched. Cheap to copy; the library it comes
/// from stays loaded as long as a copy lives. `launch` is thread-safe. Destroy the last copy only
/// when no launch is in flight.
class KILN_API Kernel {
  public:
    Kernel();
    Kernel(const Kernel&);
    Kernel(Kernel&&) noexcept;
    Kernel& operator=(const Kernel&);
    Kernel& operator=(Kernel&&) noexcept;
    ~Kernel();

    const KernelInfo& info() const;
    int device() const; ///< index
    /// Launches with pointers to each argument, as cuLaunchKernel has it. Number and sizes are
    /// checked against the kernel's parameters: Error(usage) with the signature otherwise;
    /// Error(driver_failed). Asynchronous. The current context must be one of the kernel's device,
    /// or none: then the device's primary context is used for the call.
    void launch(const LaunchConfig& config, std::span<void* const> arguments,
                std::span<const std::size_t> sizes) const;

    /// The same with typed arguments: `kernel(config, a, b, out, n)`. Arguments are taken by value
    /// with exactly the types that the kernel declares.
    template <typename... Arguments>
    void operator()(const LaunchConfig& config, Arguments... arguments) const {
        static_assert((std::is_trivially_copyable_v<Arguments> && ...));
        void* pointers[sizeof...(Arguments) + 1] = {static_cast<void*>(&arguments)..., nullptr};
        const std::size_t sizes[sizeof...(Arguments) + 1] = {sizeof(Arguments)..., 0};
        launch(config, std::span<void* const>(pointers, sizeof...(Arguments)),
               std::span<const std::size_t>(sizes, sizeof...(Arguments)));
    }

    /// The driver's CUfunction in the current context, for a caller that launches by itself.
    void* function() const;

    struct State;
    explicit Kernel(std::shared_ptr<const State> state);

  private:
    std::shared_ptr<const State> state_;
};

/// Memory on a device, in its primary context; freed with the object. For examples and tests: a
/// real program has an allocator of its own.
class KILN_API DeviceBuffer {
  public:
    /// Throws Error(driver_failed), Error(device_missing).
    DeviceBuffer(int device, std::size_t bytes);
    DeviceBuffer(DeviceBuffer&&) noexcept;
    DeviceBuffer& operator=(DeviceBuffer&&) noexcept;
    ~DeviceBuffer();

    /// The address as the kernel takes it.
    template <typename T>
    T* as() const noexcept {
        return reinterpret_cast<T*>(address_);
    }
    std::size_t bytes() const noexcept { return bytes_; }
    void upload(std::span<const std::byte> data);
    void download(std::span<std::byte> data) const;

  private:
    int device_ = 0;
    std::uintptr_t address_ = 0;
    std::size_t bytes_ = 0;
};

/// Waits for all work of a device's primary context. Throws Error(driver_failed).
KILN_API void synchronize(int device);

} // namespace kiln
