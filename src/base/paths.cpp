// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <climits>
#include <initializer_list>
#include <string>

namespace kiln::base {

namespace {

namespace fs = std::filesystem;

fs::path first_regular(std::initializer_list<fs::path> candidates) {
    std::error_code ignored;
    for (const auto& candidate : candidates)
        if (fs::is_regular_file(candidate, ignored))
            return candidate.lexically_normal();
    return {};
}

// The file that holds this code. The loader's name for a program is argv[0], and for a library it
// may be relative to a working directory that has changed since: neither is used.
fs::path image_file() {
    Dl_info info{};
    link_map* map = nullptr;
    void* const extra = &map;
    const bool known = ::dladdr1(reinterpret_cast<const void*>(&image_directory), &info,
                                 static_cast<void**>(extra), RTLD_DL_LINKMAP) != 0;
    if (!known || map == nullptr || map->l_name == nullptr || map->l_name[0] == '\0')
        return "/proc/self/exe";
    char origin[PATH_MAX + 1] = "";
    if (map->l_name[0] == '/' || ::dlinfo(map, RTLD_DI_ORIGIN, origin) != 0)
        return map->l_name;
    return fs::path(origin) / fs::path(map->l_name).filename();
}

fs::path user_directory(const Environment& environment, std::string_view variable,
                        const char* below_home) {
    // The XDG specification has relative values ignored.
    if (const auto base = environment.get(variable); base && base->front() == '/')
        return fs::path(*base) / "kiln";
    if (const auto home = environment.get("HOME"); home && home->front() == '/')
        return fs::path(*home) / below_home / "kiln";
    return {};
}

} // namespace

fs::path image_directory() {
    std::error_code error;
    const fs::path file = image_file();
    const fs::path resolved = fs::canonical(file, error);
    if (!error)
        return resolved.parent_path();
    // An image that was replaced on disk while it runs.
    const fs::path target = fs::read_symlink(file, error);
    return error ? file.parent_path() : target.parent_path();
}

fs::path shipped_file(const fs::path& relative) {
    const fs::path image = image_directory();
    return first_regular({image / "share/kiln" / relative, image / "../share/kiln" / relative,
                          image / "../../share/kiln" / relative});
}

fs::path worker_program(const Environment& environment) {
    if (const auto chosen = environment.get("KILN_WORKER"))
        return *chosen;
    const fs::path image = image_directory();
    return first_regular({image / "kiln-worker", image / "../libexec/kiln/kiln-worker",
                          image / "../../libexec/kiln/kiln-worker"});
}

fs::path absolute_path(const fs::path& path, ErrorCode code) {
    std::error_code error;
    fs::path result = fs::absolute(path, error);
    if (error)
        throw Error(code, "no file is at `" + path.string() + "`: " + error.message(),
                    "does the working directory still exist?", {{"path", path.string()}});
    return result;
}

fs::path user_cache_directory(const Environment& environment) {
    return user_directory(environment, "XDG_CACHE_HOME", ".cache");
}

fs::path user_config_directory(const Environment& environment) {
    return user_directory(environment, "XDG_CONFIG_HOME", ".config");
}

} // namespace kiln::base
