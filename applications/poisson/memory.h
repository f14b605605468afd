#pragma once

#include <tessera/base/backend.h>
#include <tessera/space/cell_data.h>

#include <iosfwd>
#include <string>

/// What a case is made of, as far as memory goes.
struct CaseSize
{
  tessera::CellType cell_type = tessera::CellType::quadrilateral;
  int degree                  = 1;
  double n_cells              = 0;
  tessera::Geometry geometry  = tessera::Geometry::vertices;
  std::string operator_name   = "matrix_free";
  int number_bytes            = 8;
  /// Components of coefficients that are stored at every quadrature point.
  int n_varying = 0;
  /// Of assembly into rows: some keep arrays for a while.
  tessera::Conflict row_conflict = tessera::Conflict::atomics;
  std::string preconditioner     = "jacobi";
};

/// Bytes by part, from counts of large meshes: good to about a third.
struct MemoryEstimate
{
  explicit MemoryEstimate(const CaseSize &size);

  double n_dofs;
  double mesh;           ///< triangulation and DoFHandler, always on the host
  double arrays;         ///< flat arrays and coefficients, always on the host
  double cells;          ///< the same as kernels read them, on the backend
  double matrix;         ///< what the operator stores, on the backend
  double coloring;       ///< of rows, for a while, always on the host
  double preconditioner; ///< on the backend
  double vectors;        ///< of the solver, on the backend

  /// Of cells, operator, preconditioner and vectors.
  double
  on_backend() const;

  double
  on_host(tessera::Backend backend) const;

  double
  on_device(tessera::Backend backend) const;

  /// One line a part, in MiB.
  void
  print(std::ostream &out, tessera::Backend backend) const;

  /// Throws DeviceError, naming `what`, where a part does not fit into the
  /// memory that is free on the host or on the device, or where indices of
  /// degrees of freedom do not fit 32 bits.
  void
  check(const std::string &what, tessera::Backend backend, int device) const;
};
