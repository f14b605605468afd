#pragma once

/// This header includes everything for a program that links tessera::tessera,
/// except kernels and parts that only applications use.
#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/load_vector.h>
#include <tessera/base/error.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/lift.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>
#include <tessera/space/generator.h>
#include <tessera/space/space.h>
