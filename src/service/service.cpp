// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "base/text.h"
#include "device/query.h"
#include "service/obtain.h"
#include "service/prepared.h"
#include "service/state.h"
#include "service/warm.h"

#include <kiln/service.h>

#include <fmt/format.h>

namespace kiln {
namespace {

std::shared_ptr<Service::State> make_state(const ServiceOptions& options) {
    const auto environment =
        options.use_environment ? base::Environment::of_process() : base::Environment();
    auto state = std::make_shared<Service::State>(service::resolve_settings(options, environment),
                                                  environment);
    // Mistakes in files belong to the one who writes them: said here, not at the first request.
    state->policy();
    state->catalog();
    return state;
}

/// A demand on proof is met by what was seen of this very cubin on a device. Kiln keeps no such
/// evidence yet, so that each demand refuses.
void require_proof(const Plan& plan) {
    if (plan.requires_.empty())
        return;
    throw Error(ErrorCode::denied,
                fmt::format("{} for {}: the policy demands {}, and there is no evidence of it",
                            plan.instance, plan.capability.str(), base::join(plan.requires_, ", ")),
                "a stronger layer can lift the demand: `require: {NAME: none}`",
                {{"module", plan.module}});
}

} // namespace

Service::Service(ServiceOptions options) : state_(make_state(options)) {}
Service::Service(std::shared_ptr<State> state) : state_(std::move(state)) {}
Service::Service(const Service&) = default;
Service::Service(Service&&) noexcept = default;
Service& Service::operator=(const Service&) = default;
Service& Service::operator=(Service&&) noexcept = default;
Service::~Service() = default;

Plan Service::plan(const Request& request, const ArchRequest& arch) const {
    return service::resolve(*state_, service::ask(*state_, request), arch, {}, service::Notes::with)
        .plan;
}

bool Service::can_compile(const Request& request, const ArchRequest& arch) const noexcept {
    try {
        const auto answer = service::resolve(*state_, service::ask(*state_, request), arch).plan;
        return answer.verdict == Verdict::allow && answer.obstacle.empty() &&
               !answer.toolkit_on_paper;
    } catch (const std::exception& error) {
        // No exception may leave; that no log line can be written either must not matter.
        try {
            base::log().debug("can_compile: {}", error.what());
        } catch (...) {
        }
        return false;
    }
}

Cubin Service::get(const Request& request, const ArchRequest& arch) const {
    const auto asked = service::ask(*state_, request);
    const auto resolution = service::resolve(*state_, asked, arch);
    if (resolution.plan.verdict == Verdict::allow)
        require_proof(resolution.plan);
    auto cubin = service::obtain(*state_, service::prepare(*state_, asked, resolution));
    cubin.runs_on_device = resolution.plan.runs_on_device;
    return cubin;
}

std::optional<Cubin> Service::try_get(const Request& request, const ArchRequest& arch) const {
    const auto asked = service::ask(*state_, request);
    const auto resolution = service::resolve(*state_, asked, arch);
    const auto& plan = resolution.plan;
    if (plan.verdict != Verdict::allow || !plan.obstacle.empty() || !plan.requires_.empty())
        return std::nullopt;
    auto cubin = service::look_up(*state_, service::prepare(*state_, asked, resolution));
    if (cubin)
        cubin->runs_on_device = resolution.plan.runs_on_device;
    return cubin;
}

Kernel Service::kernel(const Request& request, std::string_view name, int device) const {
    ArchRequest arch;
    arch.target.capability = device::capability_of(device);
    return state_->library(get(request, arch), device).kernel(name, device);
}

std::vector<WarmResult> Service::warm(std::span<const std::pair<Request, ArchRequest>> pairs,
                                      const Progress& progress) const {
    return service::warm(*state_, pairs, progress);
}

std::vector<Request> Service::requests(const std::string& module) const {
    const auto& catalog = state_->catalog();
    std::vector<Request> result;
    const auto add = [&](const catalog::Module& one) {
        for (const auto& instance : catalog.instances(one)) {
            Request request;
            request.module = one.name;
            request.parameters = {instance.parameters.begin(), instance.parameters.end()};
            result.push_back(std::move(request));
        }
    };
    if (!module.empty()) {
        add(catalog.find(module));
        return result;
    }
    for (const auto& one : catalog.modules())
        add(one);
    return result;
}

std::vector<ArchRequest> Service::all_archs() const {
    const auto& capabilities = state_->facts().capabilities;
    std::vector<ArchRequest> result;
    for (const auto* targets : {&capabilities.nvrtc, &capabilities.nvcc}) {
        for (const auto& target : *targets) {
            ArchRequest arch;
            arch.target.capability = target.capability;
            result.push_back(arch);
        }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

} // namespace kiln
