#pragma once

#include <tessera/preconditioners/preconditioner.h>

#include <memory>

namespace tessera
{
  template <class Number>
  class SsorSweeps;

  /// Symmetric successive over-relaxation in the order of the colours of the
  /// rows (RegulyGiles2015, section 11, algorithm 3),
  ///   M = (D / w + L) w / (2 - w) D^-1 (D / w + U),
  /// where A = L + D + U, L contains the columns of lower colours, and w is the
  /// relaxation. M is symmetric, and positive definite if D is positive.
  ///
  /// Rows of one colour do not couple, so one launch solves for all of them at
  /// the same time. Vectors are permuted to the order of the colours and back,
  /// so that each sweep works in place:
  ///   y = (2 - w) w D^-1 r                                   import
  ///   y_i -= w / D_i sum over j of lower colour  of A_ij y_j  colour by colour
  ///   y_i -= w / D_i sum over j of higher colour of A_ij y_j  and back
  ///   z = y                                                  export
  /// An application takes 2 n_colors launches. It is repeatable if the diagonal
  /// of A is.
  template <class Number>
  class Ssor : public Preconditioner<Number>
  {
  public:
    /// Colours the rows of A on the host. The entries of assembled rows are
    /// copied, so later changes of the matrix have no effect. Cell matrices are
    /// not copied: they are read from A, but must not change, since the
    /// diagonal is computed here.
    ///
    /// If A is one of several parts, every part sweeps over its own rows: L and
    /// U have the entries between these rows that come from the part's own
    /// cells, and D is the diagonal over all parts. So M depends on the
    /// division of the problem. All parts construct theirs at the same time.
    ///
    /// Throws ParameterError unless 0 < relaxation < 2, for an operator without
    /// stored entries (see `operators_of_preconditioner`), and for a part that
    /// does not store rows.
    explicit Ssor(const Operator<Number> &A, double relaxation = 1,
                  Stream stream = {});

    ~Ssor() override;

    void
    apply(Vector<Number> &z, const Vector<Number> &r,
          Stream stream) const override;

    Traffic
    traffic() const override;

    std::string
    name() const override
    {
      return "ssor";
    }

    /// Records of several parts call the preconditioner "ssor by process".
    RecordValues
    parameters() const override;

    int
    n_colors() const override;

    /// Returns the colour of every row, [n_owned], on the host.
    std::vector<int>
    colors() const;

  private:
    std::unique_ptr<SsorSweeps<Number>> sweeps;
    bool is_part;
  };
} // namespace tessera
