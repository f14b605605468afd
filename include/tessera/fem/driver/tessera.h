#pragma once

/// This header includes everything for a program that links tessera::fem and
/// has a DoFHandler and constraints of its own.
#include <tessera/fem/bridge/backend_operator.h>
#include <tessera/fem/bridge/exception.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/bridge/host_preconditioner.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/fields/errors.h>
#include <tessera/tessera.h>
