#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <string>
#include <vector>

namespace tessera
{
  /// A scalar field at the points of an unstructured grid.
  struct GridField
  {
    std::vector<double> points;          ///< [n_points][3]
    std::vector<double> values;          ///< [n_points]
    std::vector<long long> connectivity; ///< points of all cells
    std::vector<long long> offsets;      ///< [n_cells]: ends in `connectivity`
    std::vector<long long> types;        ///< [n_cells], numbers of VTK
    /// The number of parts per direction into which each cell of the written
    /// mesh was cut; parts follow one another in lexicographic order.
    int subdivisions = 1;
  };

  /// Reads the array of points with this name from a VTK file: .vtu, with text,
  /// base64 or appended data, compressed by zlib or not, a legacy .vtk, or a
  /// .pvtu with the pieces that it lists. Files may be compressed by gzip.
  /// Throws MeshError, one sentence that names the entry, if the file is
  /// damaged, has no such array, or if its numbers are vectors or not finite.
  GridField
  read_grid_field(const std::string &path, const std::string &array,
                  const std::string &entry);
} // namespace tessera
