#pragma once

#include "meshes.h"
#include "oracle.h"
#include "sweep.h"

#include <memory>

namespace tessera::benchmarks
{
  /// What operators are measured on, as the factors of a variant say: a mesh
  /// with the reference of its products, and a space of it. Where there are
  /// several processes, each has a part, and all call the functions together.
  class Subject
  {
  public:
    /// The study and the processes must outlive this object.
    explicit Subject(const Study &study,
                     const Processes &processes = Processes::alone())
      : study(study), processes(processes)
    {}

    /// Frees the mesh and all that was made of it.
    void
    clear();

    /// Makes the mesh of a group of variants and its oracle. Without a type of
    /// cells, `Forms` is a file, whose mesh is read; the variants then have its
    /// type and degree. Variants with a coefficient that varies are removed on
    /// meshes of elasticity, whose coefficient does not.
    void
    make_mesh(Variants &group);

    void
    make_space(const Variant &of);

    /// Lets values travel between the parts, in the memory of a backend.
    void
    connect(Backend backend);

    std::shared_ptr<const OtherParts>
    others() const;

    /// Returns what the rows of a variant share.
    program::Row
    row(const Variant &of) const;

    /// Adds to the parameters of a row the number of processes, how values
    /// travel, the ghosts of all processes, the least, mean and largest number
    /// of cells, the largest over the mean, and the most cells that a process
    /// knows.
    void
    describe_parts(program::Row &row) const;

    const Study &study;
    const Processes &processes;
    MeshPiece piece;
    Oracle oracle;
    std::shared_ptr<const Space> space;

  private:
    std::shared_ptr<const Transport> transport;
    SharedNodes shared;
  };
} // namespace tessera::benchmarks
