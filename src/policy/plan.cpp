// SPDX-License-Identifier: Apache-2.0
#include <kiln/plan.h>

namespace kiln {

std::string_view to_string(Verdict verdict) noexcept {
    switch (verdict) {
    case Verdict::allow:
        return "allow";
    case Verdict::deny:
        return "deny";
    case Verdict::unsupported:
        return "unsupported";
    }
    return "unknown";
}

std::string_view to_string(Backend backend) noexcept {
    return backend == Backend::nvrtc ? "nvrtc" : "nvcc";
}

} // namespace kiln
