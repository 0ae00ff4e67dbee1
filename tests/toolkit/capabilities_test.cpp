// SPDX-License-Identifier: Apache-2.0
#include "toolkit/answer_json.h"
#include "toolkit/capabilities.h"
#include "toolkit/toolkit_tree.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace kiln::toolkit;
using Names = std::vector<std::string>;

namespace {

/// A toolkit with the fake NVRTC of CUDA 12.0, a worker that asks it, and a memory.
struct Asked {
    ToolkitTree tree;
    Toolkit toolkit;
    AskOptions options;

    Asked() {
        std::filesystem::create_directories(tree / "lib");
        toolkit.root = tree.root();
        toolkit.version = {12, 0, 0};
        toolkit.nvrtc = tree / "lib/libnvrtc.so.12";
        toolkit.builtins = tree / "lib/libnvrtc-builtins.so.12.0";
        std::filesystem::copy_file(FAKE_NVRTC, toolkit.nvrtc);
        std::filesystem::copy_file(FAKE_NVRTC, toolkit.builtins);
        options.worker = ASK_NVRTC;
        options.memory = tree / "memory";
        options.identity = std::string(64, 'c');
        options.environment = environment({{"PATH", "/usr/bin:/bin"}});
    }

    Capabilities ask() {
        return ask_capabilities(toolkit, options, kiln::base::real_file_system());
    }
    bool remembers() const {
        return std::filesystem::exists(options.memory / (options.identity + ".json"));
    }
};

} // namespace

TEST_CASE("NVRTC says its targets, and each spelling that compiles is one of them") {
    Asked asked;
    const auto answer = ask_nvrtc_here(asked.toolkit.nvrtc, asked.toolkit.builtins);
    CHECK(answer.nvrtc_error.empty());
    CHECK(answer.nvrtc_version == "12.0");
    CHECK(names_of(answer.nvrtc) == Names{"sm_75", "sm_90", "sm_90a"});
    CHECK(answer.nvrtc_has(kiln::Target::parse("sm_90a")));
    CHECK(answer.nvrtc_has(kiln::Target::parse("compute_90a")));
    CHECK_FALSE(answer.nvrtc_has(kiln::Target::parse("sm_90f")));
    CHECK_FALSE(answer.nvcc_has(kiln::Target::parse("sm_90")));
}

TEST_CASE("builtins that are absent, empty or of another release are named") {
    Asked asked;
    const auto error = [&](const std::filesystem::path& builtins) {
        const auto answer = ask_nvrtc_here(asked.toolkit.nvrtc, builtins);
        CHECK(answer.nvrtc.empty());
        return answer.nvrtc_error;
    };
    CHECK(contains(error({}), "The toolkit has no libnvrtc-builtins."));
    const auto absent = asked.tree / "absent/libnvrtc-builtins.so.12.0";
    CHECK(contains(error(absent), absent.string() + " cannot be loaded"));
    const auto empty = asked.tree.file("empty/libnvrtc-builtins.so.12.0", "");
    CHECK(contains(error(empty), empty.string() + " cannot be loaded"));
    const auto other = asked.tree / "lib/libnvrtc-builtins.so.12.8";
    std::filesystem::copy_file(FAKE_NVRTC, other);
    CHECK(contains(error(other), asked.toolkit.nvrtc.string() + " is of CUDA 12.0"));
    CHECK(contains(error(other), other.string() + ", are of CUDA 12.8"));
}

TEST_CASE("the log of a probe that fails is in the error") {
    Asked asked;
    asked.options.environment.set("FAKE_NVRTC_BROKEN", "1");
    const auto answer = asked.ask();
    CHECK(answer.nvrtc.empty());
    CHECK(contains(answer.nvrtc_error, "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE"));
    CHECK(contains(answer.nvrtc_error, "failed to open libnvrtc-builtins.so.12.0"));
    CHECK(contains(answer.nvrtc_error, asked.toolkit.nvrtc.string()));
    CHECK_FALSE(asked.remembers());
}

TEST_CASE("an answer as JSON is one line, and comes back as it was") {
    Capabilities answer;
    answer.nvrtc = {kiln::Target::parse("sm_90"), kiln::Target::parse("sm_90a")};
    answer.nvrtc_version = "13.0";
    answer.nvrtc_error = "a \"log\"\nof two lines";
    const auto text = to_json(answer);
    CHECK_FALSE(contains(text, "\n"));
    const auto back = from_json(text);
    REQUIRE(back);
    CHECK(back->nvrtc == answer.nvrtc);
    CHECK(back->nvrtc_version == answer.nvrtc_version);
    CHECK(back->nvrtc_error == answer.nvrtc_error);
    answer.nvrtc_error = "bytes \xff\xfe";
    CHECK(from_json(to_json(answer)));
}

TEST_CASE("what is no answer is not taken for one") {
    for (const char* text :
         {"", "{", "[]", "null", "{}", R"({"nvrtc": [], "nvrtc_version": "13.0"})",
          R"({"nvrtc": "sm_90", "nvrtc_version": "13.0", "nvrtc_error": ""})",
          R"({"nvrtc": [90], "nvrtc_version": "13.0", "nvrtc_error": ""})",
          R"({"nvrtc": ["banana"], "nvrtc_version": "13.0", "nvrtc_error": ""})",
          R"({"nvrtc": [], "nvrtc_version": 13, "nvrtc_error": ""})"}) {
        CAPTURE(text);
        CHECK_FALSE(from_json(text));
    }
}

TEST_CASE("NVRTC is asked through the worker, and the answer is remembered") {
    Asked asked;
    CHECK(names_of(asked.ask().nvrtc) == Names{"sm_75", "sm_90", "sm_90a"});
    REQUIRE(asked.remembers());
    asked.options.worker = "/nonexistent/worker";
    CHECK(names_of(asked.ask().nvrtc) == Names{"sm_75", "sm_90", "sm_90a"});
    asked.options.identity = std::string(64, 'd');
    CHECK(contains(asked.ask().nvrtc_error, "/nonexistent/worker"));
}

TEST_CASE("a damaged memory is replaced by a new answer") {
    Asked asked;
    asked.tree.file("memory/" + asked.options.identity + ".json", "{\"schema\": 1");
    CHECK(asked.ask().nvrtc.size() == 3);
    asked.options.worker = "/nonexistent/worker";
    CHECK(asked.ask().nvrtc.size() == 3);
}

TEST_CASE("a worker that dies or talks nonsense is trouble, and never remembered") {
    Asked asked;
    asked.options.worker = asked.tree.script("killed", "kill -9 $$");
    CHECK(contains(asked.ask().nvrtc_error, "ended by signal 9"));
    asked.options.worker = asked.tree.script("failing", "echo no luck >&2; exit 4");
    CHECK(contains(asked.ask().nvrtc_error, "exit status 4: no luck"));
    asked.options.worker = asked.tree.script("chatty", "echo hello");
    CHECK(contains(asked.ask().nvrtc_error, "an answer that is not understood"));
    CHECK_FALSE(asked.remembers());
}

TEST_CASE("without a worker NVRTC is asked in this process") {
    Asked asked;
    asked.options.worker.clear();
    CHECK(names_of(asked.ask().nvrtc) == Names{"sm_75", "sm_90", "sm_90a"});
}

TEST_CASE("NVCC's answer stands beside NVRTC's, and follows what that nvcc reports") {
    Asked asked;
    asked.toolkit.nvcc = asked.tree.script(
        "bin/nvcc", "echo asked >> '" + (asked.tree / "count").string() +
                        "'\ncase \"$*\" in --list-gpu-code) echo sm_80; echo sm_86;; "
                        "*sm_80\\ *|*sm_86\\ *) ;; *) exit 1;; esac");
    const auto answer = asked.ask();
    CHECK(names_of(answer.nvcc) == Names{"sm_80", "sm_86"});
    CHECK(names_of(answer.nvrtc) == Names{"sm_75", "sm_90", "sm_90a"});
    CHECK(answer.nvcc_has(kiln::Target::parse("sm_86")));
    const auto count = contents_of(asked.tree / "count");
    CHECK(names_of(asked.ask().nvcc) == Names{"sm_80", "sm_86"});
    CHECK(contents_of(asked.tree / "count") == count);
}

TEST_CASE("a compiler that was not there when the answer was kept is asked") {
    Asked asked;
    CHECK(asked.ask().nvcc.empty());
    asked.toolkit.nvcc = asked.tree.script(
        "bin/nvcc", "case \"$*\" in --list-gpu-code) echo sm_80;; *sm_80\\ *) ;; *) exit 1;; esac");
    CHECK(names_of(asked.ask().nvcc) == Names{"sm_80"});
}
