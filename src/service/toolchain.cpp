// SPDX-License-Identifier: Apache-2.0
#include "service/toolchain.h"

#include "base/digest.h"
#include "base/log.h"
#include "toolkit/capabilities.h"
#include "toolkit/identity.h"
#include "toolkit/on_paper.h"

#include <fmt/format.h>

namespace kiln::service {
namespace {

/// An identity, or empty with the reason in `why`: one backend that is unfit leaves the other.
template <typename Ask>
std::string identity_or_reason(Ask ask, std::string& why) {
    try {
        return ask();
    } catch (const Error& error) {
        why = error.message();
        return {};
    }
}

} // namespace

Toolchain find_toolchain(const Settings& settings, const base::Environment& environment,
                         const std::filesystem::path& worker, const std::filesystem::path& memory,
                         base::FileSystem& files, base::DigestCache& digests) {
    Toolchain chain;
    toolkit::DiscoveryOptions wanted;
    wanted.wanted = settings.toolkit.value;
    chain.discovery = toolkit::discover(wanted, environment);
    chain.toolkit = toolkit::choose(chain.discovery, wanted);
    chain.host_compiler = settings.host_compiler.empty()
                              ? toolkit::find_host_compiler(environment)
                              : std::filesystem::path(settings.host_compiler.value);

    std::string nvrtc_error;
    std::string nvcc_error;
    if (!chain.toolkit.nvrtc.empty()) {
        chain.nvrtc_identity = identity_or_reason(
            [&] { return toolkit::nvrtc_identity(chain.toolkit, digests); }, nvrtc_error);
    }
    if (!chain.toolkit.nvcc.empty()) {
        chain.nvcc_identity = identity_or_reason(
            [&] { return toolkit::nvcc_identity(chain.toolkit, chain.host_compiler, digests); },
            nvcc_error);
    }
    toolkit::AskOptions ask;
    ask.worker = worker;
    ask.memory = memory;
    base::Hasher hasher;
    hasher.field("nvrtc", chain.nvrtc_identity).field("nvcc", chain.nvcc_identity);
    ask.identity = hasher.finish().hex();
    ask.environment = compiler_environment(chain, environment);
    chain.facts.version = chain.toolkit.version;
    chain.facts.capabilities = toolkit::ask_capabilities(chain.toolkit, ask, files);
    auto& capabilities = chain.facts.capabilities;
    // A part without an identity cannot be in a key, so it cannot be used.
    if (!nvrtc_error.empty()) {
        capabilities.nvrtc.clear();
        capabilities.nvrtc_error = nvrtc_error;
    }
    if (!nvcc_error.empty()) {
        capabilities.nvcc.clear();
        capabilities.nvcc_error = nvcc_error;
    }
    return chain;
}

std::optional<policy::ToolkitFacts> facts_on_paper(const Settings& settings) {
    const auto& wanted = settings.toolkit.value;
    auto paper = toolkit::on_paper(wanted);
    if (!paper)
        return std::nullopt;
    if (wanted.empty())
        paper->note = fmt::format("no CUDA toolkit was found: plans are made on paper, for CUDA {}",
                                  paper->version.str());
    if (!paper->note.empty())
        base::warn_once("on-paper", paper->note);
    return policy::ToolkitFacts{paper->version, std::move(paper->capabilities), true};
}

base::Environment compiler_environment(const Toolchain& toolchain,
                                       const base::Environment& environment) {
    base::Environment result;
    std::string path = "/usr/local/bin:/usr/bin:/bin";
    // NVCC looks for its host compiler's parts on PATH.
    if (!toolchain.host_compiler.empty())
        path = toolchain.host_compiler.parent_path().string() + ":" + path;
    result.set("PATH", path);
    // Messages are read by Kiln: they must not be translated.
    result.set("LC_ALL", "C");
    if (const auto directory = environment.get("TMPDIR"))
        result.set("TMPDIR", *directory);
    return result;
}

std::vector<std::string> dropped_variables(const base::Environment& environment) {
    constexpr const char* known[] = {"NVCC_PREPEND_FLAGS",
                                     "NVCC_APPEND_FLAGS",
                                     "NVRTC_APPEND_FLAGS",
                                     "NV_NVVM_VERSION",
                                     "CPATH",
                                     "C_INCLUDE_PATH",
                                     "CPLUS_INCLUDE_PATH",
                                     "NVRTC_DISABLE_PCH",
                                     "LLVM_OVERRIDE_PRODUCER",
                                     "CUDA_CACHE_DISABLE",
                                     "CICC_PATH",
                                     "NVVMIR_LIBRARY_DIR"};
    std::vector<std::string> dropped;
    for (const char* name : known) {
        if (environment.get(name))
            dropped.emplace_back(name);
    }
    return dropped;
}

} // namespace kiln::service
