#pragma once

#include <tessera/base/for_each.h>

#include "mesh_cells.h"

namespace tessera::internal
{
  /// The corners of an entity but the lowest one, which tell apart entities
  /// with the same lowest corner. Of a quadrilateral the opposite corner comes
  /// first, so that faces with the same corners in another cyclic order differ.
  template <int n>
  struct EntityKey
  {
    int corner[n];

    TESSERA_HOST_DEVICE int
    compare(const EntityKey &other) const
    {
      for (int k = 0; k < n; ++k)
        if (corner[k] != other.corner[k])
          return corner[k] < other.corner[k] ? -1 : 1;
      return 0;
    }
  };

  template <CellType type, int d>
  struct EntitiesOfCells
  {
    using Part                     = Parts<type, d>;
    using Key                      = EntityKey<Part::n_corners - 1>;
    static constexpr int n_corners = Part::n_corners;

    const int *corners; ///< of cells

    TESSERA_HOST_DEVICE int
    corner(const std::int64_t place, const int k) const
    {
      const std::int64_t cell = place / Part::n;
      return corners[cell * MeshCell<type>::n_corners +
                     Part::corner(static_cast<int>(place % Part::n), k)];
    }

    /// Returns which corner is the lowest.
    TESSERA_HOST_DEVICE int
    lowest(const std::int64_t place) const
    {
      int result = 0;
      for (int k = 1; k < n_corners; ++k)
        if (corner(place, k) < corner(place, result))
          result = k;
      return result;
    }

    TESSERA_HOST_DEVICE Key
    key(const std::int64_t place) const
    {
      const int k = lowest(place);
      if constexpr (n_corners == 2)
        return {{corner(place, 1 - k)}};
      else
        {
          const int a   = corner(place, n_corners == 4 ? k ^ 1 : (k + 1) % 3);
          const int b   = corner(place, n_corners == 4 ? k ^ 2 : (k + 2) % 3);
          const int low = a < b ? a : b, high = a < b ? b : a;
          if constexpr (n_corners == 4)
            return {{corner(place, 3 - k), low, high}};
          else
            return {{low, high}};
        }
    }
  };

  /// One call for each entity of each cell.
  template <CellType type, int d>
  struct LowestCorner
  {
    EntitiesOfCells<type, d> entities;
    int *lowest;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      lowest[i] = entities.corner(i, entities.lowest(i));
    }
  };

  /// One call for each vertex, which is the lowest corner of the entities in
  /// its list. Long lists are sorted, so that the time grows with n log n.
  template <CellType type, int d>
  struct MatchEntities
  {
    using Key                       = typename EntitiesOfCells<type, d>::Key;
    static constexpr int short_list = 32;

    EntitiesOfCells<type, d> entities;
    const std::int64_t *start;
    int *items;
    int *first;
    unsigned char *n_cells;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t vertex) const
    {
      int *const list = items + start[vertex];
      const int n     = static_cast<int>(start[vertex + 1] - start[vertex]);
      if (n > short_list)
        return match_long(list, n);
      Key keys[short_list];
      int firsts[short_list], cells_of_key[short_list], n_firsts = 0;
      for (int k = 0; k < n; ++k)
        {
          const Key key = entities.key(list[k]);
          int j         = 0;
          while (j < n_firsts && keys[j].compare(key) != 0)
            ++j;
          if (j == n_firsts)
            {
              keys[j]         = key;
              firsts[j]       = list[k];
              cells_of_key[j] = 0;
              ++n_firsts;
            }
          ++cells_of_key[j];
          first[list[k]] = firsts[j];
        }
      for (int j = 0; j < n_firsts; ++j)
        n_cells[firsts[j]] = static_cast<unsigned char>(cells_of_key[j]);
    }

  private:
    TESSERA_HOST_DEVICE bool
    before(const int a, const int b) const
    {
      const int order = entities.key(a).compare(entities.key(b));
      return order < 0 || (order == 0 && a < b);
    }

    /// Moves item k of a heap of n items down to its place.
    TESSERA_HOST_DEVICE void
    sink(int *const list, int k, const int n) const
    {
      const int item = list[k];
      for (int child = 2 * k + 1; child < n; child = 2 * k + 1)
        {
          if (child + 1 < n && before(list[child], list[child + 1]))
            ++child;
          if (!before(item, list[child]))
            break;
          list[k] = list[child];
          k       = child;
        }
      list[k] = item;
    }

    TESSERA_HOST_DEVICE void
    match_long(int *const list, const int n) const
    {
      for (int k = n / 2; k-- > 0;)
        sink(list, k, n);
      for (int end = n - 1; end > 0; --end)
        {
          const int largest = list[0];
          list[0]           = list[end];
          list[end]         = largest;
          sink(list, 0, end);
        }
      for (int k = 0; k < n;)
        {
          const int begin = k;
          const Key key   = entities.key(list[begin]);
          for (; k < n && entities.key(list[k]).compare(key) == 0; ++k)
            first[list[k]] = list[begin];
          n_cells[list[begin]] =
            static_cast<unsigned char>(k - begin < 255 ? k - begin : 255);
        }
    }
  };

  /// Counts the entities that a cell meets first.
  struct CountFirsts
  {
    const int *first;
    int n; ///< entities of a cell
    int *count;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      int sum = 0;
      for (int e = 0; e < n; ++e)
        sum += first[cell * n + e] == cell * n + e ? 1 : 0;
      count[cell] = sum;
    }
  };

  struct NumberEntities
  {
    const int *first;
    int n; ///< entities of a cell
    const std::int64_t *start;
    int *of_cells, *place;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      for (int e = 0; e < n; ++e)
        {
          const int met = first[cell * n + e], owner = met / n;
          auto number = static_cast<int>(start[owner]);
          for (int i = owner * n; i < met; ++i)
            number += first[i] == i ? 1 : 0;
          of_cells[cell * n + e] = number;
          if (owner == cell)
            place[number] = met;
        }
    }
  };
} // namespace tessera::internal
