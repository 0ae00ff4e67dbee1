// SPDX-License-Identifier: Apache-2.0
#include "service/prepared.h"

#include "base/paths.h"
#include "base/text.h"
#include "service/other_toolkits.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::service {
namespace {

namespace fs = std::filesystem;

catalog::Setting from_request(std::string value) {
    return {std::move(value), base::Origin{"request", 0, 0}};
}

std::shared_ptr<const catalog::Module> lone_module(const Request& request) {
    auto module = std::make_shared<catalog::Module>();
    module->source =
        base::absolute_path(request.source, ErrorCode::source_missing).lexically_normal();
    module->name = module->source.filename().string();
    module->origin = {"request", 0, 0};
    for (const auto& kernel : request.kernels)
        module->kernels.push_back(from_request(kernel));
    for (const auto& define : request.defines)
        module->defines.push_back(from_request(define));
    for (const auto& option : request.options)
        module->options.push_back(from_request(option));
    return module;
}

void require_source(base::FileSystem& files, const catalog::Module& module) {
    if (module.source.empty()) {
        throw Error(ErrorCode::source_missing,
                    fmt::format("module {} has no source in its catalog: it is declared for its "
                                "plan, and compiled elsewhere",
                                module.name),
                    "", {{"module", module.name}, {"location", module.origin.str()}});
    }
    std::error_code error;
    const auto status = files.status(module.source, error);
    if (status.kind == base::FileKind::regular)
        return;
    throw Error(
        ErrorCode::source_missing,
        fmt::format("the source {} {}", module.source.string(),
                    status.kind == base::FileKind::absent ? "does not exist" : "is not a file"),
        "", {{"module", module.name}, {"location", module.origin.str()}});
}

/// Two roots of one name would be one in keys.
void make_names_unique(std::vector<source::Root>& roots) {
    for (std::size_t i = 0; i < roots.size(); ++i) {
        const auto taken = [&](const std::string& name) {
            return std::any_of(roots.begin(), roots.begin() + static_cast<std::ptrdiff_t>(i),
                               [&](const auto& root) { return root.name == name; });
        };
        const std::string name = roots[i].name;
        for (int copy = 2; taken(roots[i].name); ++copy)
            roots[i].name = fmt::format("{}#{}", name, copy);
    }
}

/// The directory of a policy's root; `@name/sub` is below the root of that name.
fs::path directory_of(const policy::Resolution::IncludeRoot& root,
                      std::span<const source::Root> named) {
    if (!root.path.starts_with('@'))
        return root.path;
    const auto slash = root.path.find('/');
    const auto name = root.path.substr(1, slash == std::string::npos ? slash : slash - 1);
    std::vector<std::string> known;
    for (const auto& one : named) {
        if (one.name == name)
            return slash == std::string::npos ? one.path : one.path / root.path.substr(slash + 1);
        known.push_back(one.name);
    }
    throw Error(ErrorCode::policy,
                fmt::format("the include root {} is below `{}`, and no root has that name",
                            root.name, name),
                fmt::format("name it in `include_path:` of a configuration or in a catalog; there "
                            "are: {}",
                            base::join(known, ", ")));
}

/// Whether the compiler writes absolute paths into the cubin: then they belong to the key.
bool writes_paths(const std::vector<std::string>& options) {
    return std::any_of(options.begin(), options.end(), [](const std::string& option) {
        return option == "-lineinfo" || option == "--generate-line-info" || option == "-G" ||
               option == "--device-debug";
    });
}

std::string list_of(const std::vector<std::string>& values) {
    return base::join(values, "\n");
}

cache::Request cache_request(const Service::State& state, const compile::Job& job) {
    cache::Request request;
    request.target = job.target;
    request.source = job.source;
    request.label = job.label;
    request.roots.push_back({"source", job.source.parent_path()});
    std::vector<std::string> names;
    std::vector<std::string> paths;
    for (const auto& root : job.roots) {
        request.roots.push_back({root.name, root.path});
        names.push_back(root.name + (root.system ? " (system)" : ""));
        paths.push_back(root.path.string());
    }
    const auto contents = state.digests().digest(job.source);
    if (!contents) {
        throw Error(ErrorCode::source_missing,
                    fmt::format("the source {} cannot be read", job.source.string()));
    }
    const auto& chain = state.toolchain();
    auto& fields = request.fields;
    fields = {{"source", job.source.filename().string()},
              {"source contents", contents->digest.hex()},
              {"kernels", list_of(job.kernels)},
              {"backend", std::string(to_string(job.backend))},
              {"compiler", chain.identity(job.backend)},
              {"options", list_of(job.options)},
              {"include roots", list_of(names)},
              {"ptx", job.want_ptx ? "wanted" : ""}};
    if (writes_paths(job.options)) {
        fields.emplace_back("source path", job.source.string());
        fields.emplace_back("include paths", list_of(paths));
    }
    return request;
}

} // namespace

Asked ask(const Service::State& state, const Request& request) {
    if (request.source.empty() == request.module.empty()) {
        throw Error(ErrorCode::usage, "a request names either a module or a source",
                    "fill in exactly one of the two");
    }
    if (!request.source.empty()) {
        Asked asked;
        asked.owned = lone_module(request);
        asked.instance.module = asked.owned.get();
        return asked;
    }
    const auto& catalog = state.catalog();
    return {nullptr, catalog.instance(catalog.find(request.module), request.parameters)};
}

policy::Resolution resolve(const Service::State& state, const Asked& asked, const ArchRequest& arch,
                           std::span<const ArchRequest> archs, Notes notes) {
    const auto& facts = state.facts();
    const policy::Query query{asked.instance,
                              arch,
                              archs.empty() ? std::span<const ArchRequest>(&arch, 1) : archs,
                              facts,
                              state.surroundings,
                              notes == Notes::with};
    auto resolution = state.policy().resolve(query);
    auto& plan = resolution.plan;
    plan.toolkit_on_paper = facts.on_paper;
    if (plan.verdict == Verdict::unsupported && !facts.on_paper)
        plan.reason += "; " + where_else(state.toolchain(), arch);
    return resolution;
}

source::SearchPath search_path(const Service::State& state, const catalog::Instance* instance,
                               std::span<const policy::Resolution::IncludeRoot> of_policy) {
    std::vector<source::Root> roots = state.settings.include_path;
    if (instance != nullptr) {
        for (const auto& root : instance->module->include_roots)
            roots.push_back({root.name, root.path, false});
    }
    const auto named = roots;
    for (const auto& root : of_policy)
        roots.push_back({root.name, directory_of(root, named), false});
    // A toolkit on paper has no headers.
    if (!state.facts().on_paper) {
        for (const auto& directory : state.toolchain().toolkit.include_directories)
            roots.push_back({directory.filename() == "cccl" ? "cccl" : "cuda", directory, false});
    }
    make_names_unique(roots);
    return source::SearchPath(std::move(roots));
}

Prepared prepare(const Service::State& state, const Asked& asked,
                 const policy::Resolution& resolution) {
    // A plan on paper cannot be carried out, whatever it says.
    const auto& chain = state.toolchain();
    const auto& plan = resolution.plan;
    const auto& module = *asked.instance.module;
    if (plan.verdict != Verdict::allow || !plan.target) {
        const bool denied = plan.verdict == Verdict::deny;
        throw Error(denied ? ErrorCode::denied : ErrorCode::unsupported_target,
                    fmt::format("{} for {}: {}", plan.instance, plan.capability.str(), plan.reason),
                    denied ? "allow it by the rule's name in your policy, with a reason" : "",
                    {{"location", plan.origin}, {"module", plan.module}});
    }
    if (!plan.obstacle.empty()) {
        throw Error(ErrorCode::unsupported_target,
                    fmt::format("{} for {}: the policy allows it, but {}", plan.instance,
                                plan.capability.str(), plan.obstacle),
                    "", {{"location", plan.target_origin}, {"module", plan.module}});
    }
    require_source(state.files, module);
    Prepared prepared;
    auto& job = prepared.job;
    job.label = plan.instance;
    job.backend = plan.backend;
    job.toolkit = chain.toolkit;
    job.source = module.source;
    job.target = *plan.target;
    for (const auto& flag : plan.flags) {
        // Directories are searched through the roots, which keys name.
        if (!flag.value.starts_with("-I"))
            job.options.push_back(flag.value);
    }
    job.roots = search_path(state, &asked.instance, resolution.include_roots).roots();
    job.kernels = asked.instance.kernels();
    job.host_compiler = chain.host_compiler;
    job.environment = compiler_environment(chain, state.environment);
    job.want_ptx = resolution.with_ptx;
    job.time_limit = resolution.time_limit;
    job.memory_limit = resolution.memory_limit.value_or(0);
    prepared.request = cache_request(state, job);
    return prepared;
}

} // namespace kiln::service
