#pragma once

#include <tessera/matrix/sparse_matrix.h>
#include <tessera/parallel/processes.h>

namespace tessera
{
  /// The number of some things in the processes before this one, and in all.
  struct Share
  {
    std::int64_t before = 0, all = 0;
  };

  /// Returns this where every process has `n_own` rows. All have to call it.
  Share
  share(const Processes &processes, std::int64_t n_own);

  /// Returns the rows of the owned nodes of a divided matrix A. `local` holds
  /// the contributions of the cells of this part: the rows and columns of its
  /// owned nodes, followed by its ghosts, which `shared` counts. Rows of
  /// ghosts are added to the rows of their owners, part by part, so that bits
  /// repeat.
  ///
  /// Columns of the result count through the whole matrix and increase; entries
  /// that are zero are kept. In the whole matrix the nodes of the first process
  /// come first, then the nodes of the second one and so on, each in the order
  /// of its space. It may have 2^31 - 2 rows. All processes have to call this.
  SparseMatrix
  owned_rows(const Processes &processes, const SparseMatrix &local,
             const SharedNodes &shared, int n_owned, int n_components);
} // namespace tessera
