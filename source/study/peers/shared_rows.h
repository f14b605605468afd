#pragma once

#include <tessera/base/vector.h>
#include <tessera/matrix/sparse_matrix.h>

#include <mpi.h>

#include <algorithm>
#include <vector>

namespace tessera::benchmarks
{
  /// A matrix whose rows are shared out among the processes of MPI, each of
  /// which has a block of consecutive rows, and vectors that are divided in the
  /// same way. Matrix and vectors as a whole belong to process 0. Nothing is
  /// copied in one process. Only rows() and n_own() are not collective.
  class SharedRows
  {
  public:
    /// `all` may be empty except in process 0, where it must outlive the
    /// object if there is one process only.
    explicit SharedRows(const SparseMatrix &all) : whole(&all)
    {
      MPI_Comm_rank(MPI_COMM_WORLD, &process);
      MPI_Comm_size(MPI_COMM_WORLD, &n_processes);
      std::int64_t sizes[3] = {};
      if (process == 0)
        {
          sizes[0] = all.n_rows();
          sizes[1] = all.n_columns;
          sizes[2] = all.n_nonzeros();
        }
      MPI_Bcast(sizes, 3, MPI_INT64_T, 0, MPI_COMM_WORLD);
      n_rows     = static_cast<int>(sizes[0]);
      n_columns  = static_cast<int>(sizes[1]);
      n_nonzeros = sizes[2];
      for (int p = 0; p <= n_processes; ++p)
        begin.push_back(static_cast<int>(sizes[0] * p / n_processes));
      for (int p = 0; p < n_processes; ++p)
        n_rows_of.push_back(begin[p + 1] - begin[p]);
      if (n_processes > 1)
        distribute();
      own_x.resize(n_processes > 1 ? n_own() : 0);
      own_b.resize(own_x.size());
    }

    /// Returns the rows of this process, with columns of the whole matrix.
    const SparseMatrix &
    rows() const
    {
      return n_processes > 1 ? own : *whole;
    }

    /// Returns the number of rows of this process.
    int
    n_own() const
    {
      return n_rows_of[process];
    }

    /// Returns this process's part of the right-hand side.
    const double *
    part_of(const Vector<double> &b)
    {
      if (n_processes == 1)
        return b.data();
      MPI_Scatterv(b.data(), n_rows_of.data(), begin.data(), MPI_DOUBLE,
                   own_b.data(), n_own(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
      return own_b.data();
    }

    /// Returns this process's part of the solution, where it starts from zero.
    double *
    start(Vector<double> &x)
    {
      if (process == 0)
        x.zero();
      std::fill(own_x.begin(), own_x.end(), 0.);
      return n_processes == 1 ? x.data() : own_x.data();
    }

    /// Collects the parts of the solution that `start` returned.
    void
    finish(Vector<double> &x) const
    {
      if (n_processes > 1)
        MPI_Gatherv(own_x.data(), n_own(), MPI_DOUBLE, x.data(),
                    n_rows_of.data(), begin.data(), MPI_DOUBLE, 0,
                    MPI_COMM_WORLD);
    }

    int n_processes = 1;
    int n_rows = 0, n_columns = 0; ///< of the whole matrix
    std::int64_t n_nonzeros = 0;   ///< of the whole matrix

  private:
    /// Sends every process its rows.
    void
    distribute()
    {
      if (process > 0)
        return receive();
      for (int p = n_processes - 1; p >= 0; --p)
        {
          const auto *first       = whole->pattern.row_start.data() + begin[p];
          const std::int64_t from = *first;
          own.pattern.row_start.assign(first, first + n_rows_of[p] + 1);
          for (auto &start : own.pattern.row_start)
            start -= from;
          const auto n        = own.pattern.row_start.back();
          const auto *columns = whole->pattern.columns.data() + from;
          const auto *values  = whole->values.data() + from;
          if (p > 0)
            {
              MPI_Send(own.pattern.row_start.data(), n_rows_of[p] + 1,
                       MPI_INT64_T, p, 0, MPI_COMM_WORLD);
              MPI_Send(columns, static_cast<int>(n), MPI_INT, p, 0,
                       MPI_COMM_WORLD);
              MPI_Send(values, static_cast<int>(n), MPI_DOUBLE, p, 0,
                       MPI_COMM_WORLD);
              continue;
            }
          own.pattern.columns.assign(columns, columns + n);
          own.values.assign(values, values + n);
        }
      own.n_columns = n_columns;
    }

    void
    receive()
    {
      const auto from_first = [](void *data, const std::size_t n,
                                 const MPI_Datatype type) {
        MPI_Recv(data, static_cast<int>(n), type, 0, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
      };
      own.n_columns = n_columns;
      own.pattern.row_start.resize(n_own() + 1);
      from_first(own.pattern.row_start.data(), n_own() + 1, MPI_INT64_T);
      const auto n = own.pattern.row_start.back();
      own.pattern.columns.resize(n);
      own.values.resize(n);
      from_first(own.pattern.columns.data(), n, MPI_INT);
      from_first(own.values.data(), n, MPI_DOUBLE);
    }

    const SparseMatrix *whole;
    SparseMatrix own;
    int process = 0;
    std::vector<int> begin, n_rows_of; ///< of the processes
    std::vector<double> own_x, own_b;
  };
} // namespace tessera::benchmarks
