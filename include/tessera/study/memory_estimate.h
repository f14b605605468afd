#pragma once

#include <tessera/base/backend.h>
#include <tessera/matrix/sell_shape.h>
#include <tessera/space/cell_data.h>

#include <iosfwd>
#include <string>

namespace tessera::study
{
  /// What a case is made of, as far as memory goes.
  struct CaseSize
  {
    CellType cell_type        = CellType::quadrilateral;
    int degree                = 1;
    double n_cells            = 0;
    Geometry geometry         = Geometry::vertices;
    std::string operator_name = "matrix_free";
    int number_bytes          = 8;
    /// Components of coefficients that are stored at every quadrature point.
    int n_varying = 0;
    /// Of assembly into rows: some keep arrays for a while.
    Conflict row_conflict      = Conflict::atomics;
    std::string preconditioner = "jacobi";
    SellShape sell             = {}; ///< of operators with slices
    SliceValues slice_values =
      SliceValues::number; ///< of sell_packed and sell_short
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
    double entities;       ///< of matrix_free, on the device alone
    double coloring;       ///< of rows, for a while, always on the host
    double preconditioner; ///< on the backend
    double vectors;        ///< of the solver, on the backend

    /// Of cells, operator but for entities, preconditioner and vectors.
    double
    on_backend() const;

    double
    on_host(Backend backend) const;

    double
    on_device(Backend backend) const;

    /// One line a part, in MiB.
    void
    print(std::ostream &out, Backend backend) const;

    /// Throws DeviceError, naming `what`, where a part does not fit into the
    /// memory that is free on the host or on the device, or where indices of
    /// degrees of freedom do not fit 32 bits. `advice`: what to choose instead.
    void
    check(const std::string &what, Backend backend, int device,
          const std::string &advice) const;
  };
} // namespace tessera::study
