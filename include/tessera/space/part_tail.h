#pragma once

#include <tessera/space/cell_data.h>

#include <utility>

// The tail of a part of a mesh that has hanging nodes.
namespace tessera
{
  /// Moves ghosts, and interpolates hanging nodes from owned nodes and ghosts:
  /// `import` fetches ghosts first, and `export_add` adds to ghosts before
  /// sending them. Code that moves ghosts ignores hanging nodes.
  template <class Number>
  class PartTail : public Tail<Number>
  {
  public:
    PartTail(std::shared_ptr<const Tail<Number>> ghosts,
             std::shared_ptr<const Tail<Number>> hanging)
      : ghosts(std::move(ghosts)), hanging(std::move(hanging))
    {}

    void
    import(const Vector<Number> &x, const Stream stream) const override
    {
      ghosts->import(x, stream);
      hanging->import(x, stream);
    }

    bool
    overlaps() const override
    {
      return ghosts->overlaps();
    }

    void
    begin_import(const Vector<Number> &x, const Stream stream) const override
    {
      ghosts->begin_import(x, stream);
    }

    void
    finish_import(const Vector<Number> &x, const Stream stream) const override
    {
      ghosts->finish_import(x, stream);
      hanging->import(x, stream);
    }

    void
    export_add(Vector<Number> &y, const Stream stream) const override
    {
      begin_export(y, stream);
      finish_export(y, stream);
    }

    void
    begin_export(Vector<Number> &y, const Stream stream) const override
    {
      hanging->export_add(y, stream);
      ghosts->begin_export(y, stream);
    }

    void
    finish_export(Vector<Number> &y, const Stream stream) const override
    {
      ghosts->finish_export(y, stream);
    }

    void
    export_diagonal(Vector<Number> &d, const Stream stream) const override
    {
      ghosts->export_diagonal(d, stream);
    }

  private:
    std::shared_ptr<const Tail<Number>> ghosts, hanging;
  };

  /// Returns the tail of operators on these cells, whose ghosts are moved by
  /// `ghosts`; null or a tail that ignores them if the cells are a whole mesh.
  template <class Number>
  std::shared_ptr<const Tail<Number>>
  tail_of(const CellData<Number> &cells,
          std::shared_ptr<const Tail<Number>> ghosts)
  {
    if (!ghosts || ghosts->ignores_tails())
      return cells.tail();
    if (cells.space().n_hanging == 0)
      return ghosts;
    return std::make_shared<PartTail<Number>>(std::move(ghosts), cells.tail());
  }
} // namespace tessera
