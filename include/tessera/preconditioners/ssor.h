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
  /// where A = L + D + U, L has the columns of lower colours, and w is the
  /// relaxation. M is symmetric and positive definite where D is positive.
  ///
  /// Rows of a colour do not couple, and are solved for at the same time, by
  /// one launch. Vectors are brought into the order of the colours and back:
  ///   y = (2 - w) w D^-1 r                                   import
  ///   y_i -= w / D_i sum over j of lower colour  of A_ij y_j  colour by colour
  ///   y_i -= w / D_i sum over j of higher colour of A_ij y_j  and back
  ///   z = y                                                  export
  /// so that each sweep works in place, 2 n_colors launches in all.
  /// Repeatable where the diagonal of A is.
  template <class Number>
  class Ssor : public Preconditioner<Number>
  {
  public:
    /// Colours the rows of A, on the host. Of assembled rows the entries are
    /// copied as they are now, cell matrices are read where they stand, and
    /// belong to the diagonal of now. Where A is a part, rows and columns are
    /// the owned ones. Throws ParameterError unless 0 < relaxation < 2, and for
    /// an operator that has no entries; see `operators_of_preconditioner`.
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

    int
    n_colors() const;

    /// [n_owned] colour of a row, on the host.
    std::vector<int>
    colors() const;

  private:
    std::unique_ptr<SsorSweeps<Number>> sweeps;
  };
} // namespace tessera
