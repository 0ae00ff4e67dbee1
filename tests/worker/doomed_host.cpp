// SPDX-License-Identifier: Apache-2.0
// A host process that has a worker compile for ever, to be killed:
//   doomed_host SOURCE nvrtc|nvcc [fork]
// Temporary files go to `tmp` beside the source. With `fork` there is a child that outlives the
// host and holds copies of its descriptors.
#include "compile/workbench.h"
#include "worker/pool.h"

#include <unistd.h>

#include <string_view>

using namespace kiln;

int main(int argc, char** argv) {
    if (argc < 3)
        return 2;
    const std::filesystem::path source = argv[1];
    const auto backend = std::string_view(argv[2]) == "nvcc" ? Backend::nvcc : Backend::nvrtc;
    const auto toolkit = test::machine_toolkit(backend);
    if (!toolkit)
        return 2;
    worker::PoolOptions options;
    options.program = KILN_WORKER_PROGRAM;
    options.environment = base::Environment::of_process();
    options.environment.set("TMPDIR", (source.parent_path() / "tmp").string());
    worker::Pool pool(options);
    if (argc > 3) {
        // A worker must be there already for the child to inherit the socket.
        auto warm_up = test::make_job(*toolkit, source.parent_path() / "absent.cu", "sm_90");
        pool.run(warm_up);
        if (::fork() == 0) {
            ::sleep(30);
            ::_exit(0);
        }
    }
    return pool.run(test::make_job(*toolkit, source, "sm_90", backend)).error ? 4 : 0;
}
