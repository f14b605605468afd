#pragma once

/// This header includes everything for a program that links tessera::fem and
/// brings its own DoFHandler and constraints.
#include <tessera/fem/bridge/backend_operator.h>
#include <tessera/fem/bridge/exception.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/bridge/host_preconditioner.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/fields/errors.h>
#include <tessera/tessera.h>
