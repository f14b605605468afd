#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/parallel/processes.h>
#include <tessera/program/parameters.h>

#include <iosfwd>
#include <string>

namespace tessera
{
  /// Meshes the body that `Mesh/File` describes without cells: its surface as
  /// triangles (.stl), its geometry (.step, .stp) or a script of gmsh (.geo).
  /// gmsh makes the mesh with elements of the size `Mesh/Element size`, which
  /// replaces `FOLDER/mesh.msh` once it is complete; from then on
  /// `parameters.get_file("Mesh/File")` returns that file. gmsh runs in a
  /// separate process for at most `Mesh/Meshing time`; its output is in
  /// `FOLDER/gmsh.log`. If several `processes` call this together, the first
  /// one makes the mesh for all. The mesh has the lengths of the file. Prints a
  /// summary of the mesh on `out` and, if the file names no boundaries, their
  /// ids with bounding boxes (at most 24 unless `all`). A surface of triangles
  /// that gmsh cannot mesh anew keeps its triangles, divided to the size of
  /// elements. Returns the path of the mesh. It does nothing and returns "" if
  /// the suffix is another one, `Mesh/Format` is not auto or the grid is
  /// generated.
  ///
  /// Throws ParameterError if a size is not positive, larger than the body or
  /// given for a file that is not meshed here, or if the folder is not
  /// writable; MeshError if the file is missing, damaged or of another
  /// dimension than requested, if its surface is open or meets itself, if this
  /// build has no gmsh, or if gmsh crashes or takes too long; Error with
  /// ExitCode::device if the mesh certainly does not fit into the memory.
  std::string
  mesh_body(Parameters &parameters, const std::string &folder,
            std::ostream &out, bool all = true,
            const Processes &processes = Processes::alone());
} // namespace tessera
