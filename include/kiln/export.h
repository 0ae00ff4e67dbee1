// SPDX-License-Identifier: Apache-2.0
#pragma once

// Only what carries this mark is visible in libkiln.so.
#if defined(__GNUC__)
#define KILN_API __attribute__((visibility("default")))
#else
#define KILN_API
#endif
