#include <tessera/operators/descriptor.h>
#include <tessera/operators/models.h>
#include <tessera/study/operators/coo.h>

#include "coo_kernels.h"

namespace tessera
{
  template <class Number>
  Coo<Number>::Coo(CooMatrix<Number> matrix, const int n_tail)
    : MatrixOperator<Number, CooMatrix, TileOperator>(
        "coo", std::move(matrix), matrix, n_tail,
        matrix.backend() == Backend::cuda ? coo_tile() : host_tile,
        TileCut::entries)
  {}

  template <class Number>
  Traffic
  Coo<Number>::traffic() const
  {
    const CooMatrix<Number> &coo = this->matrix();
    Traffic result               = TileOperator<Number>::traffic();
    if (coo.has_empty_rows() && coo.backend() == Backend::host)
      result.compulsory += sizeof(Number) * std::uint64_t(coo.n_rows());
    return result;
  }

  template <class Number>
  void
  Coo<Number>::launch_apply(const RowApply<Number> &apply,
                            const Stream stream) const
  {
    const CooMatrix<Number> &coo = this->matrix();
    const bool zeroes            = coo.has_empty_rows() && !apply.add;
    if (zeroes && coo.backend() == Backend::host)
      internal::zero_on_host(apply.y,
                             sizeof(Number) * std::size_t(apply.n_rows));
    on_target(coo.backend(), [&](const auto target) {
      apply_coo(target,
                CooApply<Number>{apply, this->tiles(), coo.rows(),
                                 coo.columns(), coo.values().data(), zeroes},
                stream);
    });
  }

  template class Coo<double>;
  template class Coo<float>;

  namespace
  {
    OperatorDescriptor
    describe_coo()
    {
      OperatorDescriptor d{
        "coo",
        "row, column and value of every entry (coordinates), "
        "summed in tiles of equally many entries",
        "WongKuhlDarve2015, section 4, after Bell and Garland"};
      d.from_pattern<Coo, CooMatrix>();
      // The row numbers of entries are stored; the pattern is there meanwhile.
      d.memory = [](const MemoryCounts &n, const StorageOptions &) {
        return n.places(n.nonzeros) + 4 * n.nonzeros + 16 * n.dofs;
      };
      // A row and a column for every entry.
      d.model = [](const int degree, const int s) {
        return (s + 8.) * (degree + 2) * (degree + 2) + 2. * s;
      };
      return d;
    }

    const Registration<OperatorDescriptor> coo_registration(describe_coo);
  } // namespace
} // namespace tessera
