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
    /// `GPU-...` as nvidia-smi writes it; `MIG-...` of an instance; empty if the driver does not
    /// say
    std::string uuid;
    ComputeCapability capability;
    std::uint64_t memory_bytes = 0;
    std::uint32_t shared_bytes_per_block = 0; ///< with opt-in
    bool integrated = false;
    /// A MIG instance. Known where the driver tells the instance's UUID from the board's (CUDA
    /// Driver API, cuDeviceGetUuid and cuDeviceGetUuid_v2); otherwise false.
    bool mig = false;
};

/// The devices of this machine and the driver's version.
struct KILN_API DeviceList {
    std::vector<DeviceInfo> devices;
    std::string driver_version; ///< CUDA version the driver serves: `13.0`; empty: no driver
    std::string reason;         ///< where there is no device: why, in one sentence
};

/// Asks the driver (cuInit, no context). Never throws for "no driver" or "no device", nor in a
/// child forked after the driver was used: that is an empty list with a reason.
/// CUDA_VISIBLE_DEVICES is the driver's to read, never Kiln's. Thread-safe.
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
    /// A CUstream or cudaStream_t of a context of the kernel's device: that context is launched in.
    /// Null, and the two named default streams: in the current context.
    CUstream_st* stream = nullptr;
    Dim3 cluster{0, 0, 0}; ///< blocks of a cluster; x = 0: none; y or z = 0 is taken as 1
    bool cooperative = false;
    bool programmatic_stream_serialization = false; ///< programmatic dependent launch
};

/// A kernel that is loaded for a device and can be launched. Cheap to copy; the library it comes
/// from stays loaded as long as a copy lives, and is unloaded with the last: destroy that only when
/// no launch of it is in flight (synchronise its streams first). All const members are thread-safe.
/// An empty one may be assigned to; whatever else is asked of it is Error(usage).
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
    /// checked against the kernel's parameters, grid, block and shared memory against what kernel
    /// and device allow: Error(usage) with the signature otherwise; Error(driver_failed), also for
    /// an earlier launch that failed on the device, and in a forked child. Asynchronous. Without a
    /// stream the current context is launched in if it is one of the kernel's device; otherwise
    /// the device's primary context, which is current for the call only.
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

    /// The driver's CUfunction in the current context, or in the primary one where that is not of
    /// the kernel's device; for a caller that launches by itself. Valid as long as context and
    /// Kernel live. Throws Error(driver_failed).
    void* function() const;

    struct KILN_LOCAL State;
    explicit Kernel(std::shared_ptr<const State> state);

  private:
    std::shared_ptr<const State> state_;
};

/// Memory on a device, in the context that a launch without a stream would use: the current one if
/// it is of the device, otherwise the primary one. Freed with the object, which waits for the
/// device. For examples and tests: a real program has an allocator of its own.
class KILN_API DeviceBuffer {
  public:
    /// Not initialised. Throws Error(driver_missing | driver_failed | device_missing).
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
    /// The first data.size() bytes, after the work of the null stream; returns when it is done.
    /// Throws Error(usage) for more than bytes(); Error(driver_failed), also for an earlier launch
    /// that failed on the device.
    void upload(std::span<const std::byte> data);
    void download(std::span<std::byte> data) const;

  private:
    int device_ = 0;
    void* context_ = nullptr;
    std::uintptr_t address_ = 0;
    std::size_t bytes_ = 0;
};

/// Waits for all work of the context that a launch without a stream would use. Throws
/// Error(driver_failed), also for an earlier launch that failed on the device.
KILN_API void synchronize(int device);

} // namespace kiln
