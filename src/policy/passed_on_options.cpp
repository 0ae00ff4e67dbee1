// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "policy/option_table.h"

#include <algorithm>

namespace kiln::policy {
namespace {

using enum OptionValue;

/// Options of ptxas that are accepted: by name, whatever their value.
constexpr std::string_view ptxas_names =
    "-v --verbose -w --disable-warnings -O --opt-level -O0 -O1 -O2 -O3 -warn-spills "
    "--warn-on-spills -warn-lmem-usage --warn-on-local-memory-usage -warn-double-usage "
    "--warn-on-double-precision-use -suppress-stack-size-warning "
    "--suppress-stack-size-warning -suppress-double-demote-warning "
    "--suppress-double-demote-warning --suppress-async-bulk-multicast-advisory-warning "
    "--suppress-sparse-mma-advisory-info -Werror --warning-as-error "
    "-allow-expensive-optimizations --allow-expensive-optimizations -dlcm "
    "--def-load-cache -dscm --def-store-cache -flcm --force-load-cache -fscm "
    "--force-store-cache -func-maxrregcount --device-function-maxrregcount -maxrregcount "
    "--maxrregcount -regUsageLevel --register-usage-level -disable-optimizer-consts "
    "--disable-optimizer-constants -fmad --fmad --sp-bounds-check "
    "-legacy-bar-warp-wide-behavior --legacy-bar-warp-wide-behavior";

constexpr std::string_view host_names =
    "-fPIC -fpic -w -g -pthread -O0 -O1 -O2 -O3 -O -fvisibility -fno-strict-aliasing "
    "-fopenmp";

constexpr std::string_view fatbin_names =
    "-compress-all --compress-all -compress --compress --no-compress -compress-level "
    "--compress-level --compress-mode";

bool contains(std::string_view names, std::string_view name) {
    const auto all = base::split(names, ' ');
    return std::find(all.begin(), all.end(), name) != all.end();
}

/// `-Wextra`, `-Wno-unused`: a warning of the host compiler. `-Wl`, `-Wa` and `-Wp`, which hand
/// options on, have one letter.
bool is_host_warning(std::string_view piece) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789+-";
    return piece.starts_with("-W") && piece.size() > 3 &&
           piece.find_first_not_of(letters, 2) == std::string_view::npos;
}

} // namespace

bool is_harmless(OptionValue kind, std::string_view piece) {
    const std::string_view name = piece.substr(0, piece.find('='));
    switch (kind) {
    case ptxas:
        return contains(ptxas_names, name);
    case host:
        return contains(host_names, name) || is_host_warning(piece);
    case fatbin:
        return contains(fatbin_names, name);
    default:
        return false;
    }
}

} // namespace kiln::policy
