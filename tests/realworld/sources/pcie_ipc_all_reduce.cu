// SPDX-License-Identifier: Apache-2.0
// All-reduce of two ranks over PCIe.
#include "flashinfer/comm/pcie_ipc_all_reduce.cuh"

namespace flashinfer::comm::pcie_ipc {

template __global__ void
ipc_tp2_remote_push_kernel<half, true, true>(const IpcTp2RemotePushData<half> __grid_constant__);

} // namespace flashinfer::comm::pcie_ipc
