// Makes damaged matrix files for `fuzz_matrix`, Matrix Market and binary ones,
// and damaged copies in a cache; see loop.h. An allocation of more than 1 GiB
// fails, and so do more than 2 GiB at a time.

#include "../bytes.h"
#include "loop.h"

#include <tessera/base/checksum.h>
#include <tessera/matrix/matrix_checks.h>
#include <tessera/matrix/matrix_file.h>
#include <tessera/matrix/matrix_market.h>

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>

namespace
{
  std::atomic<std::size_t> n_live{0};
}

void *
operator new(const std::size_t size, const std::nothrow_t &) noexcept
{
  constexpr std::size_t gibibyte = 1 << 30;
  if (size > gibibyte || n_live > gibibyte)
    return nullptr;
  void *const place = std::malloc(size);
  if (place != nullptr)
    n_live += malloc_usable_size(place);
  return place;
}

void *
operator new(const std::size_t size)
{
  void *const place = operator new(size, std::nothrow);
  if (place == nullptr)
    throw std::bad_alloc();
  return place;
}

void
operator delete(void *const place) noexcept
{
  if (place != nullptr)
    n_live -= malloc_usable_size(place);
  std::free(place);
}

void
operator delete(void *const place, std::size_t) noexcept
{
  operator delete(place);
}

namespace
{
  using namespace tessera;
  using namespace tessera::fuzz;

  void
  require(const bool condition, const std::string &text)
  {
    if (!condition)
      throw Complaint{text};
  }

  bool
  equal(const SparseMatrix &a, const SparseMatrix &b)
  {
    return a.n_columns == b.n_columns && a.values == b.values &&
           a.pattern.row_start == b.pattern.row_start &&
           a.pattern.columns == b.pattern.columns;
  }

  /// Returns a matrix with an empty row and a long one.
  SparseMatrix
  example()
  {
    return {{{0, 3, 3, 10, 11}, {0, 2, 8, 0, 1, 2, 3, 5, 6, 8, 4}},
            9,
            {1, -2.5, 1e300, 4, .1, 6, 7e-12, 8, 9, 10, -11}};
  }

  /// Returns the file that `write` writes under a name with this suffix.
  template <class Write>
  File
  written(const std::string &suffix, const Write &write)
  {
    const std::string path =
      (std::filesystem::temp_directory_path() / "tessera_fuzz_example")
        .string() +
      std::to_string(std::random_device()()) + suffix;
    write(example(), path);
    File file{test::load_bytes(path), suffix};
    std::filesystem::remove(path);
    return file;
  }

  std::vector<File>
  matrix_files()
  {
    using Write = void (*)(const SparseMatrix &, const std::string &);
    const Write write_binary = write_matrix, write_text = write_matrix_market;
    std::vector<File> files  = {written(".matrix", write_binary),
                                written(".mtx", write_text),
                                written(".gz", write_text)};
    const std::string banner = "%%MatrixMarket matrix coordinate ";
    for (const std::string field : {"real", "integer", "pattern"})
      for (const std::string symmetry :
           {"general", "symmetric", "skew-symmetric"})
        {
          const std::string value = field == "pattern" ? "" : " 7";
          files.push_back({banner + field + ' ' + symmetry +
                             "\n% a comment\r\n\n5 5 4\n2 1" + value +
                             "\r\n5 1" + value + "\n\n%\n3 2" + value +
                             "\n 5\t1" + value + "\n",
                           ".mtx"});
        }
    return files;
  }

  /// Returns the bytes with the right checksum.
  std::string
  mended(std::string bytes)
  {
    if (bytes.size() < 8)
      return bytes;
    Checksum checksum;
    checksum.add(bytes.data(), bytes.size() - 8);
    std::memcpy(&bytes[bytes.size() - 8], &checksum.value, 8);
    return bytes;
  }

  /// Reads text from memory and sometimes from a file; binary data from a file.
  SparseMatrix
  read(const File &file, const std::string &path, Random &random)
  {
    const bool binary = file.suffix == ".matrix";
    if (!binary && below(random, 8) > 0)
      {
        std::istringstream in(file.content);
        return read_matrix_market(in, "memory");
      }
    store(binary && below(random, 4) > 0 ? mended(file.content) : file.content,
          path);
    return load_matrix(path);
  }

  void
  try_matrix(const File &file, const std::string &path, Random &random)
  {
    const SparseMatrix matrix = read(file, path, random);
    require(defect(matrix).empty(), "a matrix that " + defect(matrix));
    std::stringstream text;
    write_matrix_market(matrix, text);
    require(equal(read_matrix_market(text, "text"), matrix),
            "another matrix after Matrix Market");
    if (below(random, 8) > 0)
      return;
    write_matrix(matrix, path);
    require(equal(read_matrix(path), matrix),
            "another matrix after a binary file");
  }

  /// Replaces the copy of a good file by the damaged file, or damages the copy.
  void
  try_cache(const File &file, const std::string &path, Random &random)
  {
    const std::string source = path + ".source", cache = path + ".cache";
    write_matrix_market(example(), source);
    load_matrix(source, cache);
    for (const auto &copy : std::filesystem::directory_iterator(cache))
      std::ofstream(copy.path(), std::ios::binary)
        << (below(random, 2) == 0
              ? file.content
              : mutate(test::load_bytes(copy.path()), random));
    for (int round = 0; round < 2; ++round)
      require(equal(load_matrix(source, cache), example()),
              "another matrix beside a damaged copy");
    std::filesystem::remove_all(cache);
    std::filesystem::remove(source);
  }
} // namespace


int
main(const int argc, char **argv)
{
  const auto try_either = [](const File &file, const std::string &path,
                             Random &random) {
    (below(random, 32) == 0 ? try_cache : try_matrix)(file, path, random);
  };
  return run(argc, argv, {{"matrix", matrix_files, try_either}});
}
