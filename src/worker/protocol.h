// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/compiler.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Messages between a host and its worker, over a stream socket:
///   message = length:u32-little-endian payload        ; payload is CBOR (RFC 8949), <= 1 GiB
///   payload = {"protocol": 2, "hello": {"version": text, "pid": int}}
///           / {"protocol": 2, "job": ...}
///           / {"protocol": 2, "began": true} / {"protocol": 2, "result": ...}
/// The worker says hello first; then each job is answered by `began`, as soon as the worker has the
/// whole of it, and by one result. A worker that ends without a `began` has not touched the job, so
/// another may have it. The number changes with any change of the payloads: both sides must be of
/// one build.
namespace kiln::worker {

inline constexpr int protocol_number = 2;

/// What a worker says when it has started.
struct Hello {
    int protocol = protocol_number;
    std::string version; ///< of Kiln: `0.1.0`
    int pid = 0;
};

std::vector<std::byte> encode(const Hello& hello);
std::vector<std::byte> encode(const compile::Job& job);
std::vector<std::byte> encode(const compile::Result& result);
std::vector<std::byte> encode_began();
/// Nothing for bytes that are not such a payload. A hello of any protocol is understood.
std::optional<Hello> decode_hello(std::span<const std::byte> payload);
bool is_began(std::span<const std::byte> payload);
std::optional<compile::Job> decode_job(std::span<const std::byte> payload);
std::optional<compile::Result> decode_result(std::span<const std::byte> payload);

/// Sends or receives one message; false at end of file or on an error. `receive` waits at most
/// `timeout_ms` (-1: for ever) and says in `timed_out` which it was. No SIGPIPE.
bool send_message(int socket, std::span<const std::byte> payload, int timeout_ms = -1);
std::optional<std::vector<std::byte>> receive_message(int socket, int timeout_ms, bool& timed_out);

/// The whole of the `kiln-worker` program; the exit status.
///   kiln-worker --serve [--host PID] [--scratch DIR]
///       serves jobs on fd 3 until end of file, or until the host process PID has ended; then
///       kills what it has started, removes DIR and ends.
///   kiln-worker --ask-nvrtc LIB BUILTINS
///       prints what NVRTC can do as JSON (toolkit/capabilities.h).
///   kiln-worker --version
int worker_main(int argc, char** argv);

} // namespace kiln::worker
