// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/arch.h>
#include <kiln/cubin.h>
#include <kiln/device.h>
#include <kiln/error.h>
#include <kiln/plan.h>
#include <kiln/service.h>
#include <kiln/version.h>
