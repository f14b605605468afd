#pragma once

/// What a program needs that links tessera::tessera; kernels and what serves
/// applications alone have headers of their own.
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
