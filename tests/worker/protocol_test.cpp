// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor.h"
#include "worker/protocol.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <thread>

using namespace kiln;
using namespace kiln::worker;

namespace {

struct SocketPair {
    SocketPair() {
        std::array<int, 2> ends{};
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
        a.reset(ends[0]);
        b.reset(ends[1]);
    }
    base::Descriptor a;
    base::Descriptor b;
};

std::vector<std::byte> bytes(std::string_view text) {
    const auto span = std::as_bytes(std::span(text));
    return {span.begin(), span.end()};
}

// A path that is no UTF-8.
const std::string odd = "/k/\xFF\xFE dir";

compile::Job full_job() {
    compile::Job job;
    job.label = "m{n=1}";
    job.backend = Backend::nvcc;
    job.toolkit.root = "/t";
    job.toolkit.version = {13, 0, 88};
    job.toolkit.nvcc = "/t/bin/nvcc";
    job.toolkit.nvrtc = "/t/lib/libnvrtc.so.13";
    job.toolkit.builtins = "/t/lib/libnvrtc-builtins.so.13.0";
    job.toolkit.include_directories = {"/t/include/cccl", "/t/include"};
    job.toolkit.found_by = "PATH";
    job.source = odd + "/a.cu";
    job.target = Target::parse("sm_120f");
    job.options = {"-DX=$(id)", "-lineinfo"};
    job.roots = {{"I0", odd, false}, {"cuda", "/t/include", true}};
    job.kernels = {"k", "t<float, 4>"};
    job.host_compiler = "/usr/bin/g++";
    job.environment.set("LANG", "\xFF");
    job.want_ptx = true;
    job.time_limit = std::chrono::milliseconds(1234);
    job.memory_limit = 3'000'000'000;
    return job;
}

} // namespace

TEST_CASE("a job arrives as it was sent") {
    const auto job = full_job();
    const auto got = decode_job(encode(job));
    REQUIRE(got);
    CHECK(got->label == job.label);
    CHECK(got->backend == job.backend);
    CHECK(got->toolkit.root == job.toolkit.root);
    CHECK(got->toolkit.version == job.toolkit.version);
    CHECK(got->toolkit.nvcc == job.toolkit.nvcc);
    CHECK(got->toolkit.nvrtc == job.toolkit.nvrtc);
    CHECK(got->toolkit.builtins == job.toolkit.builtins);
    CHECK(got->toolkit.include_directories == job.toolkit.include_directories);
    CHECK(got->toolkit.found_by == job.toolkit.found_by);
    CHECK(got->source == job.source);
    CHECK(got->target == job.target);
    CHECK(got->options == job.options);
    REQUIRE(got->roots.size() == 2);
    CHECK(got->roots[0].name == "I0");
    CHECK(got->roots[0].path == odd);
    CHECK_FALSE(got->roots[0].system);
    CHECK(got->roots[1].system);
    CHECK(got->kernels == job.kernels);
    CHECK(got->host_compiler == job.host_compiler);
    CHECK(got->environment.lines() == job.environment.lines());
    CHECK(got->want_ptx);
    CHECK(got->time_limit == job.time_limit);
    CHECK(got->memory_limit == job.memory_limit);
}

TEST_CASE("a result arrives as it was sent, error and odd bytes included") {
    compile::Result result;
    result.cubin = bytes(std::string_view("\x7f"
                                          "ELF\0\xff",
                                          6));
    result.ptx = ".version 9.0";
    auto& kernel = result.kernels.emplace_back();
    kernel.symbol = "_Z1kPf";
    kernel.expressions = {"k<float>"};
    kernel.registers = 1;
    kernel.static_shared_bytes = 2;
    kernel.local_bytes = 3;
    kernel.max_threads_per_block = 4;
    kernel.parameters = {{0, 8}, {8, 4}};
    result.log = std::string("warn\0ing \xFF", 10);
    result.opened = {odd + "/a.cu", "/t/include/b.h"};
    result.opened_exact = true;
    result.seconds = 0.25;
    result.error = Error(ErrorCode::header_missing, "message", "hint", {{"log", "l"}, {"a", "b"}});

    const auto got = decode_result(encode(result));
    REQUIRE(got);
    CHECK(got->cubin == result.cubin);
    CHECK(got->ptx == result.ptx);
    REQUIRE(got->kernels.size() == 1);
    CHECK(got->kernels[0].symbol == kernel.symbol);
    CHECK(got->kernels[0].expressions == kernel.expressions);
    CHECK(got->kernels[0].registers == 1);
    CHECK(got->kernels[0].static_shared_bytes == 2);
    CHECK(got->kernels[0].local_bytes == 3);
    CHECK(got->kernels[0].max_threads_per_block == 4);
    REQUIRE(got->kernels[0].parameters.size() == 2);
    CHECK(got->kernels[0].parameters[1].offset == 8);
    CHECK(got->kernels[0].parameters[1].size == 4);
    CHECK(got->log == result.log);
    CHECK(got->opened == result.opened);
    CHECK(got->opened_exact);
    CHECK(got->seconds == 0.25);
    REQUIRE(got->error);
    CHECK(got->error->code() == ErrorCode::header_missing);
    CHECK(got->error->message() == "message");
    CHECK(got->error->hint() == "hint");
    CHECK(got->error->context() == result.error->context());
    result.error.reset();
    CHECK_FALSE(decode_result(encode(result))->error);
}

TEST_CASE("what is no payload, or of another protocol, is nothing") {
    CHECK_FALSE(decode_job({}));
    CHECK_FALSE(decode_job(bytes("garbage")));
    CHECK_FALSE(decode_job(encode(compile::Result{})));
    CHECK_FALSE(decode_result(encode(full_job())));
    const auto whole = encode(full_job());
    for (std::size_t length = 0; length < whole.size(); ++length)
        CHECK_FALSE(decode_job(std::span(whole).first(length)));
    const auto cbor = nlohmann::json::to_cbor({{"protocol", 2}, {"job", nullptr}});
    CHECK_FALSE(decode_job(std::as_bytes(std::span(cbor))));
}

TEST_CASE("a hello of another protocol is understood as such") {
    CHECK(decode_hello(encode(Hello{protocol_number, "0.1.0", 7}))->pid == 7);
    const auto cbor = nlohmann::json::to_cbor({{"protocol", 9}, {"hello", {{"version", "8.1"}}}});
    const auto hello = decode_hello(std::as_bytes(std::span(cbor)));
    REQUIRE(hello);
    CHECK(hello->protocol == 9);
    CHECK(hello->version == "8.1");
    CHECK_FALSE(decode_hello(bytes("HTTP/1.1 400 Bad Request")));
}

TEST_CASE("messages of any size cross the socket whole") {
    SocketPair pair;
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{9} << 20}) {
        const std::vector<std::byte> sent(size, std::byte{7});
        bool sent_ok = false;
        std::thread sender([&] { sent_ok = send_message(pair.a.get(), sent); });
        bool timed_out = true;
        const auto got = receive_message(pair.b.get(), -1, timed_out);
        sender.join();
        CHECK(sent_ok);
        REQUIRE(got);
        CHECK(*got == sent);
        CHECK_FALSE(timed_out);
    }
}

TEST_CASE("end of file, silence and nonsense are told apart, and none raises a signal") {
    bool timed_out = false;
    {
        SocketPair pair;
        CHECK_FALSE(receive_message(pair.a.get(), 20, timed_out));
        CHECK(timed_out);
        // A peer that stops reading costs its time, not for ever.
        const std::vector<std::byte> large(8u << 20);
        CHECK_FALSE(send_message(pair.a.get(), large, 20));
    }
    SocketPair pair;
    const auto half = bytes(std::string_view("\x09\0\0\0abc", 7));
    REQUIRE(::send(pair.a.get(), half.data(), half.size(), 0) == 7);
    pair.a.reset();
    CHECK_FALSE(receive_message(pair.b.get(), 1000, timed_out));
    CHECK_FALSE(timed_out);
    CHECK_FALSE(send_message(pair.b.get(), half)); // SIGPIPE would end the test

    SocketPair nonsense;
    const auto prefix = bytes("\xff\xff\xff\xff");
    REQUIRE(::send(nonsense.a.get(), prefix.data(), prefix.size(), 0) == 4);
    CHECK_FALSE(receive_message(nonsense.b.get(), 1000, timed_out));
    CHECK_FALSE(timed_out);
}
