// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

namespace kiln::worker {

namespace {

using Json = nlohmann::json;
using compile::Job;
using compile::Result;
namespace fs = std::filesystem;

std::vector<std::byte> to_bytes(std::string_view kind, Json value) {
    Json payload;
    payload["protocol"] = protocol_number;
    payload[std::string(kind)] = std::move(value);
    const auto cbor = Json::to_cbor(payload);
    const auto bytes = std::as_bytes(std::span(cbor));
    return {bytes.begin(), bytes.end()};
}

// Null for what is no payload of this kind; of another protocol too unless `any_protocol`.
Json from_bytes(std::span<const std::byte> bytes, const char* kind, int* protocol = nullptr) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const auto payload = Json::from_cbor(data, data + bytes.size(), true, false);
    if (!payload.is_object() || !payload.contains("protocol") || !payload.contains(kind))
        return nullptr;
    const auto& number = payload["protocol"];
    if (!number.is_number_integer())
        return nullptr;
    if (protocol != nullptr)
        *protocol = number.get<int>();
    else if (number.get<int>() != protocol_number)
        return nullptr;
    return payload[kind];
}

Json::binary_t binary(std::span<const std::byte> bytes) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return Json::binary_t(std::vector<std::uint8_t>(data, data + bytes.size()));
}

std::vector<std::byte> bytes_of(const Json& value) {
    const auto& binary = value.get_binary();
    const auto bytes = std::as_bytes(std::span(binary.data(), binary.size()));
    return {bytes.begin(), bytes.end()};
}

Json list_of(const std::vector<fs::path>& paths) {
    Json list = Json::array();
    for (const auto& path : paths)
        list.push_back(path.native());
    return list;
}

std::vector<fs::path> paths_of(const Json& list) {
    std::vector<fs::path> paths;
    for (const auto& path : list)
        paths.emplace_back(path.get<std::string>());
    return paths;
}

fs::path path_of(const Json& value) {
    return value.get<std::string>();
}

Json to_json(const toolkit::Toolkit& toolkit) {
    return {{"root", toolkit.root.native()},
            {"version", {toolkit.version.major, toolkit.version.minor, toolkit.version.patch}},
            {"nvcc", toolkit.nvcc.native()},
            {"nvrtc", toolkit.nvrtc.native()},
            {"builtins", toolkit.builtins.native()},
            {"include_directories", list_of(toolkit.include_directories)},
            {"found_by", toolkit.found_by}};
}

toolkit::Toolkit toolkit_of(const Json& value) {
    toolkit::Toolkit toolkit;
    toolkit.root = path_of(value.at("root"));
    const auto& version = value.at("version");
    toolkit.version = {version.at(0).get<int>(), version.at(1).get<int>(),
                       version.at(2).get<int>()};
    toolkit.nvcc = path_of(value.at("nvcc"));
    toolkit.nvrtc = path_of(value.at("nvrtc"));
    toolkit.builtins = path_of(value.at("builtins"));
    toolkit.include_directories = paths_of(value.at("include_directories"));
    toolkit.found_by = value.at("found_by").get<std::string>();
    return toolkit;
}

Json to_json(const KernelInfo& kernel) {
    Json parameters = Json::array();
    for (const auto& parameter : kernel.parameters)
        parameters.push_back({parameter.offset, parameter.size});
    return {{"symbol", kernel.symbol},
            {"expressions", kernel.expressions},
            {"registers", kernel.registers},
            {"static_shared_bytes", kernel.static_shared_bytes},
            {"local_bytes", kernel.local_bytes},
            {"max_threads_per_block", kernel.max_threads_per_block},
            {"parameters", std::move(parameters)}};
}

KernelInfo kernel_of(const Json& value) {
    KernelInfo kernel;
    kernel.symbol = value.at("symbol").get<std::string>();
    kernel.expressions = value.at("expressions").get<std::vector<std::string>>();
    kernel.registers = value.at("registers").get<std::uint32_t>();
    kernel.static_shared_bytes = value.at("static_shared_bytes").get<std::uint32_t>();
    kernel.local_bytes = value.at("local_bytes").get<std::uint32_t>();
    kernel.max_threads_per_block = value.at("max_threads_per_block").get<std::uint32_t>();
    for (const auto& parameter : value.at("parameters"))
        kernel.parameters.push_back(
            {parameter.at(0).get<std::uint32_t>(), parameter.at(1).get<std::uint32_t>()});
    return kernel;
}

Json to_json(const Error& error) {
    Json context = Json::array();
    for (const auto& [label, value] : error.context())
        context.push_back({label, value});
    return {{"code", static_cast<int>(error.code())},
            {"message", error.message()},
            {"hint", error.hint()},
            {"context", std::move(context)}};
}

Error error_of(const Json& value) {
    Error::Context context;
    for (const auto& item : value.at("context"))
        context.emplace_back(item.at(0).get<std::string>(), item.at(1).get<std::string>());
    return Error(static_cast<ErrorCode>(value.at("code").get<int>()),
                 value.at("message").get<std::string>(), value.at("hint").get<std::string>(),
                 std::move(context));
}

Job job_of(const Json& value) {
    Job job;
    job.label = value.at("label").get<std::string>();
    job.backend = value.at("nvcc").get<bool>() ? Backend::nvcc : Backend::nvrtc;
    job.toolkit = toolkit_of(value.at("toolkit"));
    job.source = path_of(value.at("source"));
    job.target = Target::parse(value.at("target").get<std::string>());
    job.options = value.at("options").get<std::vector<std::string>>();
    for (const auto& root : value.at("roots"))
        job.roots.push_back(
            {root.at(0).get<std::string>(), path_of(root.at(1)), root.at(2).get<bool>()});
    job.kernels = value.at("kernels").get<std::vector<std::string>>();
    job.host_compiler = path_of(value.at("host_compiler"));
    for (const auto& variable : value.at("environment"))
        job.environment.set(variable.at(0).get<std::string>(), variable.at(1).get<std::string>());
    job.want_ptx = value.at("want_ptx").get<bool>();
    job.time_limit = std::chrono::milliseconds(value.at("time_limit_ms").get<std::int64_t>());
    job.memory_limit = value.at("memory_limit").get<std::uint64_t>();
    return job;
}

Result result_of(const Json& value) {
    Result result;
    result.cubin = bytes_of(value.at("cubin"));
    result.ptx = value.at("ptx").get<std::string>();
    for (const auto& kernel : value.at("kernels"))
        result.kernels.push_back(kernel_of(kernel));
    result.log = value.at("log").get<std::string>();
    result.opened = paths_of(value.at("opened"));
    result.opened_exact = value.at("opened_exact").get<bool>();
    result.seconds = value.at("seconds").get<double>();
    if (value.contains("error"))
        result.error = error_of(value.at("error"));
    return result;
}

} // namespace

std::vector<std::byte> encode(const Hello& hello) {
    return to_bytes("hello", {{"version", hello.version}, {"pid", hello.pid}});
}

std::vector<std::byte> encode(const Job& job) {
    Json roots = Json::array();
    for (const auto& root : job.roots)
        roots.push_back({root.name, root.path.native(), root.system});
    Json environment = Json::array();
    for (const auto& [name, value] : job.environment.variables())
        environment.push_back({name, value});
    return to_bytes("job", {{"label", job.label},
                            {"nvcc", job.backend == Backend::nvcc},
                            {"toolkit", to_json(job.toolkit)},
                            {"source", job.source.native()},
                            {"target", job.target.str()},
                            {"options", job.options},
                            {"roots", std::move(roots)},
                            {"kernels", job.kernels},
                            {"host_compiler", job.host_compiler.native()},
                            {"environment", std::move(environment)},
                            {"want_ptx", job.want_ptx},
                            {"time_limit_ms", job.time_limit.count()},
                            {"memory_limit", job.memory_limit}});
}

std::vector<std::byte> encode(const Result& result) {
    Json kernels = Json::array();
    for (const auto& kernel : result.kernels)
        kernels.push_back(to_json(kernel));
    Json value = {{"ptx", result.ptx},
                  {"kernels", std::move(kernels)},
                  {"log", result.log},
                  {"opened", list_of(result.opened)},
                  {"opened_exact", result.opened_exact},
                  {"seconds", result.seconds}};
    value["cubin"] = binary(result.cubin);
    if (result.error)
        value["error"] = to_json(*result.error);
    return to_bytes("result", std::move(value));
}

std::vector<std::byte> encode_began() {
    return to_bytes("began", true);
}

bool is_began(std::span<const std::byte> payload) {
    try {
        return from_bytes(payload, "began") == true;
    } catch (const std::exception&) {
        return false;
    }
}

std::optional<Hello> decode_hello(std::span<const std::byte> payload) {
    try {
        Hello hello;
        const auto value = from_bytes(payload, "hello", &hello.protocol);
        if (!value.is_object())
            return std::nullopt;
        hello.version = value.value("version", "");
        hello.pid = value.value("pid", 0);
        return hello;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::optional<Job> decode_job(std::span<const std::byte> payload) {
    try {
        return job_of(from_bytes(payload, "job"));
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::optional<Result> decode_result(std::span<const std::byte> payload) {
    try {
        return result_of(from_bytes(payload, "result"));
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

} // namespace kiln::worker
