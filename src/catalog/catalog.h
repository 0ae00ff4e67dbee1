// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"
#include "base/yaml.h"

#include <kiln/error.h>

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Modules, parameters and instances, declared in YAML. The grammar is in `docs/catalog.md`.
namespace kiln::catalog {

/// A value and the line that gave it.
struct Setting {
    std::string value;
    base::Origin origin;
};

struct Parameter {
    /// Which values are taken beside those that are listed.
    enum class Type {
        listed,  ///< none
        integer, ///< any decimal integer
        text     ///< any text of letters, digits and `_ . : < > , - + *` and blanks
    };
    std::string name;
    std::vector<std::string> values; ///< those that are warmed; the default is the first
    Type type = Type::listed;

    /// The value as the catalog spells it (`True` is `true` where that is listed), or nothing for
    /// one that is not taken.
    std::optional<std::string> accept(const std::string& value) const;
};

/// A directory that `#include` searches, named so that keys need no absolute path.
struct IncludeRoot {
    std::string name;           ///< unique within the module
    std::filesystem::path path; ///< absolute
    base::Origin origin;
};

/// A condition that a module sets on the machine; the policy turns one that fails into a deny that
/// a later layer may allow. What is empty asks for nothing. Already checked: each text parses.
struct Need {
    std::string capability; ///< CapabilityRanges: `>=9.0`, `10.0..10.3`
    std::string targets;    ///< comma list of TargetForm, which the code needs: `a, f`
    std::string toolkit;    ///< VersionRanges: `>=12.8`
    std::string reason;     ///< always set
    base::Origin origin;
    std::string when; ///< CapabilityRanges: the need counts only there; empty: everywhere
};

struct Module {
    std::string name;
    std::string description;
    /// Absolute; empty for a module that is compiled elsewhere and declared for its plan alone.
    std::filesystem::path source;
    /// What must be in the cubin: an `extern "C"` symbol, or an expression such as
    /// `rms_norm<${dtype}, ${vec}>`. A trailing `*` on a symbol accepts any symbol with that
    /// prefix.
    std::vector<Setting> kernels;
    std::vector<Parameter> parameters;
    std::vector<IncludeRoot> include_roots;
    std::vector<Setting> defines; ///< `NAME`, `NAME=VALUE`; `${parameter}` is replaced
    std::vector<Setting> options;
    std::vector<std::string> backends; ///< preference; empty: the policy's
    std::vector<std::string> tags;
    std::vector<Need> needs;
    std::string language; ///< `c++17`, ...; empty: the policy's
    base::Origin origin;
};

/// Values of parameters that, together, are left out.
struct Exclusion {
    std::map<std::string, std::vector<std::string>> values;
    base::Origin origin;
};

/// A module with its parameters fixed.
struct Instance {
    const Module* module = nullptr; ///< lives as long as its Catalog (or the caller's Module)
    std::vector<std::pair<std::string, std::string>> parameters; ///< in the order of declaration

    std::string name() const; ///< `rms_norm{dtype=float,vec=4}`, or the module's name alone
    /// Text with each `${parameter}` replaced; Error(catalog) for an unknown one.
    std::string expand(std::string_view text) const;
    std::vector<std::string> kernels() const;
    std::vector<Setting> defines() const;
    std::vector<Setting> options() const;
};

/// Immutable after loading; safe to read from many threads; Modules do not move.
class Catalog {
  public:
    /// Files, or directories (each `catalog.yaml` and `*.catalog.yaml` in them). Paths inside are
    /// relative to their file. `${name}` in paths is looked up in `variables`, then in the file's
    /// own `variables:`; `${env:NAME:-default}` in `environment`. A module that names an unknown
    /// variable is an error only when it is used (`find`), so that one catalog serves several
    /// machines. Throws Error(catalog) with location.
    static Catalog load(std::span<const std::filesystem::path> paths,
                        const std::map<std::string, std::string>& variables,
                        const base::Environment& environment);

    const std::vector<Module>& modules() const noexcept { return modules_; }
    /// Error(catalog) with the nearest name.
    const Module& find(std::string_view name) const;
    /// Every combination of the parameters, in order, less those that `exclude:` names.
    std::vector<Instance> instances(const Module& module) const;
    /// Missing parameters take their default. Error(catalog) for an unknown parameter or value,
    /// each naming what there is, and for a combination that `exclude:` names.
    Instance instance(const Module& module,
                      const std::map<std::string, std::string>& parameters) const;

    /// The policy files that the catalogs name: absolute paths, in order. They are of the library
    /// layer.
    const std::vector<Setting>& policies() const noexcept { return policies_; }

  private:
    friend class CatalogReader;
    const Exclusion* exclusion_of(const Instance& instance) const;

    std::vector<Module> modules_;
    std::vector<Setting> policies_;
    std::map<std::string, std::vector<Exclusion>, std::less<>> excluded_; ///< by module name
    std::map<std::string, Error, std::less<>> unusable_; ///< modules that name unknown variables
};

} // namespace kiln::catalog
