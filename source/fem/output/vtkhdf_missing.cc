#include "vtkhdf_file.h"

#include <stdexcept>

// Where deal.II has no HDF5, the format vtkhdf is refused.
namespace tessera
{
  bool
  VtkHdf::is_there()
  {
    return false;
  }


  VtkHdf::VtkHdf(const VtuGrid &grid, bool, bool) : grid(grid)
  {
    throw std::logic_error("there is no VTKHDF without HDF5");
  }


  VtkHdf::Piece
  VtkHdf::piece() const
  {
    return {};
  }


  void
  VtkHdf::produce(int, const TakeBytes &) const
  {}


  void
  VtkHdf::write(const std::vector<Piece> &, const CollectBytes &,
                std::ostream &) const
  {}
} // namespace tessera
