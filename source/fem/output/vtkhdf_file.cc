#include "vtkhdf_file.h"
#include "compressor.h"

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <string>

namespace tessera
{
  namespace
  {
    /// Throws unless a call of HDF5 succeeded; all are in memory.
    template <class Result>
    Result
    checked(const Result result, const char *const call)
    {
      if (result < 0)
        throw std::runtime_error(std::string("HDF5 fails in ") + call);
      return result;
    }

    /// Something of HDF5 that is closed in the end.
    class Handle
    {
    public:
      Handle(const hid_t id, const char *const call, herr_t (*close)(hid_t))
        : id(checked(id, call)), close(close)
      {}

      ~Handle()
      {
        close(id);
      }

      Handle(const Handle &) = delete;
      Handle &
      operator=(const Handle &) = delete;

      operator hid_t() const
      {
        return id;
      }

    private:
      const hid_t id;
      herr_t (*const close)(hid_t);
    };

    /// HDF5 prints no messages of its own while this lives.
    class QuietHdf5
    {
    public:
      QuietHdf5()
      {
        H5Eget_auto2(H5E_DEFAULT, &print, &data);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
      }

      ~QuietHdf5()
      {
        H5Eset_auto2(H5E_DEFAULT, print, data);
      }

      QuietHdf5(const QuietHdf5 &) = delete;
      QuietHdf5 &
      operator=(const QuietHdf5 &) = delete;

    private:
      H5E_auto2_t print = nullptr;
      void *data        = nullptr;
    };

    using Sizes = std::vector<hsize_t>;

    Handle
    make_space(const Sizes &sizes)
    {
      return {
        H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
        "H5Screate_simple", H5Sclose};
    }

    /// A group that keeps the order in which its members are made.
    Handle
    make_group(const hid_t parent, const char *const name)
    {
      const Handle how(H5Pcreate(H5P_GROUP_CREATE), "H5Pcreate", H5Pclose);
      checked(H5Pset_link_creation_order(how, H5P_CRT_ORDER_TRACKED |
                                                H5P_CRT_ORDER_INDEXED),
              "H5Pset_link_creation_order");
      return {H5Gcreate2(parent, name, H5P_DEFAULT, how, H5P_DEFAULT),
              "H5Gcreate2", H5Gclose};
    }

    void
    write_attribute(const hid_t group, const char *const name, const hid_t type,
                    const hid_t space, const void *const value)
    {
      const Handle attribute(
        H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT),
        "H5Acreate2", H5Aclose);
      checked(H5Awrite(attribute, type, value), "H5Awrite");
    }

    /// A dataset without time stamps, so that the same grid makes the same
    /// bytes. It is in chunks if there are any rows of one.
    Handle
    make_dataset(const hid_t group, const std::string &path, const hid_t type,
                 const Sizes &sizes, const hsize_t rows_of_chunk = 0)
    {
      const Handle space = make_space(sizes),
                   how(H5Pcreate(H5P_DATASET_CREATE), "H5Pcreate", H5Pclose);
      checked(H5Pset_obj_track_times(how, 0), "H5Pset_obj_track_times");
      if (rows_of_chunk > 0)
        {
          Sizes chunk   = sizes;
          chunk.front() = rows_of_chunk;
          checked(
            H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data()),
            "H5Pset_chunk");
          checked(H5Pset_deflate(how, Compressor::level), "H5Pset_deflate");
        }
      return {H5Dcreate2(group, path.c_str(), type, space, H5P_DEFAULT, how,
                         H5P_DEFAULT),
              "H5Dcreate2", H5Dclose};
    }

    /// Writes a few integers or numbers.
    template <class T>
    void
    write_few(const hid_t group, const std::string &path, const hid_t type,
              const std::vector<T> &values, const Sizes &sizes)
    {
      const Handle dataset = make_dataset(group, path, type, sizes);
      checked(
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "H5Dwrite");
    }

    void
    write_few(const hid_t group, const std::string &path,
              const std::vector<std::int64_t> &values)
    {
      write_few(group, path, H5T_STD_I64LE, values, {values.size()});
    }

    /// Collects the bytes of a dataset and writes its chunks, which all threads
    /// compress, a few at a time. A last chunk that is not full ends with
    /// zeros.
    class Chunks
    {
    public:
      Chunks(const hid_t dataset, const hsize_t rows, const std::size_t row)
        : dataset(dataset), rows(rows), size(rows * row)
      {
        batch.reserve(n_at_once * size);
      }

      void
      take(const char *data, std::size_t n)
      {
        while (n > 0)
          {
            const std::size_t now =
              std::min(n, n_at_once * size - batch.size());
            batch.insert(batch.end(), data, data + now);
            data += now;
            n -= now;
            if (batch.size() == n_at_once * size)
              write();
          }
      }

      void
      finish()
      {
        batch.resize((batch.size() + size - 1) / size * size);
        write();
      }

    private:
      static constexpr std::size_t n_at_once = 64;

      void
      write()
      {
        const std::size_t n = batch.size() / size;
        std::vector<std::vector<unsigned char>> packed(n);
#pragma omp parallel
        {
          Compressor compress;
#pragma omp for schedule(dynamic)
          for (std::size_t i = 0; i < n; ++i)
            packed[i] = compress(batch.data() + i * size, size);
        }
        batch.clear();
        for (const auto &bytes : packed)
          {
            if (bytes.empty())
              throw std::runtime_error("libdeflate cannot compress an array");
            const hsize_t start[] = {first_row, 0};
            checked(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, start, bytes.size(),
                                   bytes.data()),
                    "H5Dwrite_chunk");
            first_row += rows;
          }
      }

      const hid_t dataset;
      const hsize_t rows;     ///< of a chunk
      const std::size_t size; ///< of a chunk
      std::vector<unsigned char> batch;
      hsize_t first_row = 0; ///< of the next chunk
    };

    /// Hands the entries value(i) of type T to `take`, many at a time, which
    /// all threads make.
    template <class T, class Value>
    void
    hand_over(const std::size_t n, const Value &value, const TakeBytes &take)
    {
      constexpr std::size_t at_once = (std::size_t(1) << 24) / sizeof(T);
      std::vector<T> values(std::min(n, at_once));
      for (std::size_t first = 0; first < n; first += at_once)
        {
          const std::size_t n_values = std::min(at_once, n - first);
#pragma omp parallel for schedule(static)
          for (std::size_t i = 0; i < n_values; ++i)
            values[i] = static_cast<T>(value(first + i));
          take(reinterpret_cast<const char *>(values.data()),
               n_values * sizeof(T));
        }
    }
  } // namespace


  bool
  VtkHdf::is_there()
  {
    return true;
  }


  VtkHdf::VtkHdf(const VtuGrid &grid, const bool in_double,
                 const bool points_in_double)
    : grid(grid), arrays{{Array::numbers, "Points", nullptr, 3,
                          in_double || points_in_double},
                         {Array::integers, "Connectivity"},
                         {Array::integers, "Offsets"},
                         {Array::bytes, "Types"}}
  {
    for (const auto &[group, fields] :
         {std::pair{"PointData/", &grid.of_points},
          std::pair{"CellData/", &grid.of_cells}})
      for (const auto &field : *fields)
        arrays.push_back({Array::numbers, group + field.name, &field,
                          field.n_components, in_double});
  }


  VtkHdf::Piece
  VtkHdf::piece() const
  {
    return {grid.points.size() / 3, grid.connectivity.size() / grid.n_corners};
  }


  void
  VtkHdf::produce(const int section, const TakeBytes &take) const
  {
    const Array &array  = arrays.at(section);
    const auto n_cells  = piece().n_cells;
    const auto of_index = [](const auto &values) {
      return [&values](const std::size_t i) { return values[i]; };
    };
    if (array.type == Array::numbers)
      {
        const auto &values =
          array.field == nullptr ? grid.points : array.field->values;
        if (array.in_double)
          hand_over<double>(values.size(), of_index(values), take);
        else
          hand_over<float>(values.size(), of_index(values), take);
      }
    else if (array.type == Array::bytes)
      hand_over<std::uint8_t>(
        n_cells, [&](std::size_t) { return grid.cell_type; }, take);
    else if (array.path == "Connectivity")
      hand_over<std::int64_t>(grid.connectivity.size(),
                              of_index(grid.connectivity), take);
    else
      hand_over<std::int64_t>(
        n_cells + 1, [&](const std::size_t c) { return c * grid.n_corners; },
        take);
  }


  void
  VtkHdf::write(const std::vector<Piece> &pieces, const CollectBytes &collect,
                std::ostream &out) const
  {
    const QuietHdf5 quiet;
    const Handle in_memory(H5Pcreate(H5P_FILE_ACCESS), "H5Pcreate", H5Pclose);
    checked(H5Pset_fapl_core(in_memory, std::size_t(1) << 24, 0),
            "H5Pset_fapl_core");
    // No file has the name.
    const Handle file(
      H5Fcreate("vtkhdf", H5F_ACC_TRUNC, H5P_DEFAULT, in_memory), "H5Fcreate",
      H5Fclose),
      root = make_group(file, "VTKHDF");

    // All readers know version 1, and later ones add what is not here.
    const std::int64_t version[] = {1, 0};
    const std::string type       = "UnstructuredGrid";
    const Handle text(H5Tcopy(H5T_C_S1), "H5Tcopy", H5Tclose),
      two = make_space({2}), one(H5Screate(H5S_SCALAR), "H5Screate", H5Sclose);
    checked(H5Tset_size(text, type.size()), "H5Tset_size");
    checked(H5Tset_strpad(text, H5T_STR_NULLPAD), "H5Tset_strpad");
    write_attribute(root, "Version", H5T_STD_I64LE, two, version);
    write_attribute(root, "Type", text, one, type.data());

    std::vector<std::int64_t> n_points, n_cells, n_corners;
    for (const Piece &piece : pieces)
      {
        n_points.push_back(static_cast<std::int64_t>(piece.n_points));
        n_cells.push_back(static_cast<std::int64_t>(piece.n_cells));
        n_corners.push_back(grid.n_corners * n_cells.back());
      }
    write_few(root, "NumberOfPoints", n_points);
    write_few(root, "NumberOfCells", n_cells);
    write_few(root, "NumberOfConnectivityIds", n_corners);
    const auto sum = [](const std::vector<std::int64_t> &n) {
      return static_cast<hsize_t>(
        std::accumulate(n.begin(), n.end(), std::int64_t(0)));
    };
    const hsize_t all_points = sum(n_points), all_cells = sum(n_cells);

    const Handle of_points = make_group(root, "PointData"),
                 of_cells  = make_group(root, "CellData"),
                 of_file   = make_group(root, "FieldData");
    if (grid.subdivisions > 1)
      write_few<int>(of_file, "subdivisions", H5T_STD_I32LE,
                     {grid.subdivisions}, {1});
    for (std::size_t a = 0; a < arrays.size(); ++a)
      {
        const Array &array = arrays[a];
        const bool is_of_points =
          a == 0 || array.path.rfind("PointData/", 0) == 0;
        const hsize_t n_rows  = array.path == "Connectivity" ? sum(n_corners)
                                : array.path == "Offsets"
                                  ? all_cells + pieces.size()
                                : is_of_points ? all_points
                                               : all_cells;
        const std::size_t row = array.entry_bytes() * array.n_components;
        const hsize_t rows = std::min<hsize_t>(n_rows, Compressor::block / row);
        const hid_t type_of_entries = array.type == Array::bytes ? H5T_STD_U8LE
                                      : array.type == Array::integers
                                        ? H5T_STD_I64LE
                                      : array.in_double ? H5T_IEEE_F64LE
                                                        : H5T_IEEE_F32LE;
        Sizes sizes{n_rows};
        if (array.n_components > 1)
          sizes.push_back(array.n_components);
        const Handle dataset =
          make_dataset(root, array.path, type_of_entries, sizes, rows);
        if (rows == 0)
          continue;
        Chunks chunks(dataset, rows, row);
        collect(static_cast<int>(a),
                [&](const char *data, std::size_t n) { chunks.take(data, n); });
        chunks.finish();
      }

    checked(H5Fflush(file, H5F_SCOPE_GLOBAL), "H5Fflush");
    unsigned char **image = nullptr;
    checked(
      H5Fget_vfd_handle(file, in_memory, reinterpret_cast<void **>(&image)),
      "H5Fget_vfd_handle");
    // Asks how large the file is without room to grow, and copies nothing.
    const auto size =
      checked(H5Fget_file_image(file, nullptr, 0), "H5Fget_file_image");
    out.write(reinterpret_cast<const char *>(*image), size);
  }
} // namespace tessera
