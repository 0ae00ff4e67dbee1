// SPDX-License-Identifier: Apache-2.0
#pragma once

// Only what carries this mark is visible in libkiln.so.
#if defined(__GNUC__)
#define KILN_API __attribute__((visibility("default")))
// What stands inside a type that carries it and is nobody's business.
#define KILN_LOCAL __attribute__((visibility("hidden")))
#else
#define KILN_API
#define KILN_LOCAL
#endif
