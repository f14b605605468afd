#pragma once

#include <tessera/base/backend.h>
#include <tessera/operators/options.h>
#include <tessera/space/cell_data.h>

#include <iosfwd>
#include <string>

namespace tessera::program
{
  /// The part of a mesh that a mesh library keeps besides arrays: only the
  /// coarsest cells, all cells, or all cells with their degrees of freedom.
  enum class LibraryMesh
  {
    none,
    cells,
    all
  };

  /// The bytes that a mesh library takes for a cell of a large mesh.
  struct LibraryBytes
  {
    double triangulation = 0;
    double dof           = 0; ///< of each degree of freedom of the cell
  };

  /// The properties of a case that determine how much memory it needs.
  struct CaseSize
  {
    Backend backend           = Backend::host;
    CellType cell_type        = CellType::quadrilateral;
    int degree                = 1;
    int n_components          = 1; ///< of a node
    double n_cells            = 0;
    Geometry geometry         = Geometry::vertices;
    std::string operator_name = "matrix_free";
    int number_bytes          = 8;
    /// The number of coefficient components that are stored at every quadrature
    /// point.
    int n_varying = 0;
    /// Additional bytes that the application stores for each cell.
    double state_bytes = 0;
    /// The route of assembly into rows; `gather` needs temporary arrays.
    Route route                         = Route::scatter;
    std::string preconditioner          = "jacobi";
    OptionValues preconditioner_options = {};
    StorageOptions storage              = {}; ///< of the operator
    /// The operator in float of mixed precision; empty if there is none.
    std::string inner_operator = {};
    int n_processes            = 1;     ///< that share the case
    int n_on_host              = 1;     ///< number of them on this host
    bool distributed           = false; ///< each process knows only its part
    bool has_divider           = false; ///< one process had the whole mesh
    LibraryMesh library_mesh   = LibraryMesh::all;
    LibraryBytes library       = {};
    bool has_arrays            = false; ///< the mesh and its nodes are arrays
  };

  /// Estimated bytes of the parts of a case. The estimate uses mean counts of
  /// large meshes and is accurate to about a third, for multigrid's levels to a
  /// factor of two.
  ///
  /// If several processes share the case, the bytes belong to one process: to
  /// its part of the cells with the ghosts of a part as round as a cube and,
  /// unless the mesh is distributed, to the mesh and its arrays as a whole.
  /// Ghosts are within a factor of two. For a distributed mesh the cells around
  /// a part are not counted. If one process makes and divides the mesh, it
  /// needs `whole` first, and the memory of its part only when that is free.
  struct MemoryEstimate
  {
    explicit MemoryEstimate(const CaseSize &size);

    CaseSize size;
    double n_dofs;   ///< of all processes
    double n_ghosts; ///< degrees of freedom here that others own
    double whole;    ///< the mesh in the process that divides it, on its host
    double mesh;     ///< arrays and what a mesh library keeps, on the host
    double arrays;   ///< flat arrays and coefficients, on the host
    double cells;    ///< cell arrays of kernels, on the backend
    double matrix;   ///< stored by the operator, on the backend
    double entities; ///< entity indices of matrix_free, on the device only
    double making;   ///< of the preconditioner, temporary
    std::string what_made; ///< its largest use: "colours of rows"
    Backend made_on;       ///< the memory that making needs
    double preconditioner; ///< with the operator that it reads in float, on the
                           ///< backend
    double vectors;        ///< vectors of the solver, on the backend
    double states;         ///< states of the application, on the backend
    double ghosts; ///< in vectors, messages and their lists, on the backend

    /// Returns the bytes of the cells, the operator without entities, the
    /// preconditioner, the vectors, the ghosts and the states.
    double
    on_backend() const;

    double
    on_host() const;

    double
    on_device() const;

    /// Prints one line for each part, in MiB, and the sum of all processes.
    void
    print(std::ostream &out) const;

    /// Prints the size of the largest case of a study, which this is, and its
    /// parts.
    void
    print_largest(std::ostream &out) const;

    /// Returns false if `check` would throw.
    bool
    fits(int device) const;

    /// Throws DeviceError, naming `what`, if a part does not fit into the free
    /// memory of the host, which all processes there need, or of the device, or
    /// if indices of degrees of freedom do not fit 32 bits. `advice` tells the
    /// user what to choose instead. If `out` is given, prints the largest case
    /// before.
    void
    check(const std::string &what, int device, const std::string &advice,
          std::ostream *out = nullptr) const;
  };
} // namespace tessera::program
