// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/compiler.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// Messages between a host and its worker, over a stream socket:
///   message = length:u32-little-endian payload        ; payload is CBOR (RFC 8949), <= 1 GiB
///   payload = {"protocol": 1, "job": ...} / {"protocol": 1, "result": ...}
namespace kiln::worker {

std::vector<std::byte> encode(const compile::Job& job);
std::vector<std::byte> encode(const compile::Result& result);
/// Nothing for bytes that are not such a payload.
std::optional<compile::Job> decode_job(std::span<const std::byte> payload);
std::optional<compile::Result> decode_result(std::span<const std::byte> payload);

/// Sends or receives one message; false at end of file or on an error. `receive` waits at most
/// `timeout_ms` (-1: for ever) and says in `timed_out` which it was. No SIGPIPE.
bool send_message(int socket, std::span<const std::byte> payload);
std::optional<std::vector<std::byte>> receive_message(int socket, int timeout_ms, bool& timed_out);

/// The whole of the `kiln-worker` program: serves jobs on fd 3 until end of file; or
/// `--ask-nvrtc LIB BUILTINS`, which prints what NVRTC can do as JSON.
int worker_main(int argc, char** argv);

} // namespace kiln::worker
