#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

/// This header includes everything for a program that links tessera::dealii and
/// has a DoFHandler and constraints of its own.
#include <tessera/dealii/backend_operator.h>
#include <tessera/dealii/errors.h>
#include <tessera/dealii/exception.h>
#include <tessera/dealii/flatten.h>
#include <tessera/dealii/host_preconditioner.h>
#include <tessera/dealii/transfer.h>
#include <tessera/tessera.h>
