#include "test.h"

#include <tessera/base/array.h>
#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
#include <tessera/base/host_memory.h>
#include <tessera/base/vector.h>

#include <limits>
#include <numeric>

using namespace tessera;

namespace
{
  /// Sizes around a page and around the part of a thread.
  const std::size_t sizes[] = {1, 2, 63, 511, 512, 513, 4097, 100001};

  template <class T>
  std::vector<T>
  counted(const std::size_t n)
  {
    std::vector<T> values(n);
    std::iota(values.begin(), values.end(), T(1));
    return values;
  }

  template <class T>
  void
  expect_refused(const Backend backend, const std::size_t size)
  {
    try
      {
        const Array<T> array(backend, size);
        ADD_FAILURE() << "took " << array.bytes() << " bytes for " << size;
      }
    catch (const DeviceError &error)
      {
        EXPECT_EQ(error.exit_code(), ExitCode::device);
        EXPECT_EQ(static_cast<int>(error.exit_code()), 6);
        EXPECT_NE(std::string(error.what()).find(" bytes "), std::string::npos)
          << error.what();
      }
  }
} // namespace

TEST(Array, DeviceMemoryIsCounted)
{
  const std::uint64_t before = device_memory_in_use();
  for (const Backend backend : test::backends())
    {
      const std::size_t of_int = backend == Backend::cuda ? sizeof(int) : 0;
      Array<int> kept(backend, 7);
      EXPECT_EQ(device_memory_in_use(), before + 7 * of_int);
      Array<int> array(backend, 100);
      EXPECT_EQ(device_memory_in_use(), before + 107 * of_int);
      EXPECT_GE(device_memory_peak(), before + 107 * of_int);
      kept = std::move(array);
      EXPECT_EQ(device_memory_in_use(), before + 100 * of_int);
    }
  EXPECT_EQ(device_memory_in_use(), before);
}

TEST(Array, MemoryIsReusedAndOutlivesThat)
{
  const std::uint64_t before = device_memory_in_use();
  for (const Backend backend : test::backends())
    {
      const Array<int> older(backend, std::vector<int>(5, 3));
      Array<int> kept, other;
      {
        const ReusedDeviceMemory reused(backend);
        Array<int> from_outside(backend, counted<int>(1000));
        {
          const ReusedDeviceMemory nested(backend);
          for (const std::size_t n : sizes)
            {
              Array<int>(backend, std::vector<int>(n, -1));
              kept = Array<int>(backend, n);
              EXPECT_EQ(kept.to_vector(), std::vector<int>(n, 0));
            }
        }
        kept  = Array<int>(backend, counted<int>(300000));
        other = std::move(from_outside);
      }
      const Array<int> later(backend, std::vector<int>(100001, 7));
      EXPECT_EQ(kept.to_vector(), counted<int>(300000));
      EXPECT_EQ(other.to_vector(), counted<int>(1000));
      EXPECT_EQ(older.to_vector(), std::vector<int>(5, 3));
      EXPECT_EQ(later.to_vector(), std::vector<int>(100001, 7));
    }
  EXPECT_EQ(device_memory_in_use(), before);
}

TEST(Array, FreshMemoryIsZero)
{
  for (const Backend backend : test::backends())
    for (const std::size_t n : sizes)
      {
        // Freed memory that is used again must be zero.
        Array<int>(backend, std::vector<int>(n, -1));
        const Array<int> array(backend, n);
        EXPECT_EQ(array.size(), n);
        EXPECT_EQ(array.bytes(), n * sizeof(int));
        EXPECT_EQ(array.backend(), backend);
        EXPECT_EQ(array.to_vector(), std::vector<int>(n, 0));
      }
}

TEST(Array, HostMemoryThatIsNotFreeIsRefused)
{
  // More bytes than there are, but few enough to be granted.
  const double free = free_host_memory();
  if (free > 1e15)
    GTEST_SKIP() << "the system does not say what is free";
  expect_refused<char>(Backend::host,
                       static_cast<std::size_t>(1.1 * free) + (1 << 28));
}

TEST(Array, IsEmptyOnceMoved)
{
  for (const Backend backend : test::backends())
    {
      const std::vector<double> values = counted<double>(5);
      Array<double> from(backend, values), to;
      to = std::move(from);
      const Array<double> last(std::move(to));
      EXPECT_EQ(from.size(), 0u);
      EXPECT_EQ(to.size(), 0u);
      EXPECT_EQ(to.data(), nullptr);
      EXPECT_EQ(last.to_vector(), values);

      Vector<double> x(backend, 3, 2);
      Vector<double> y(std::move(x)), z;
      z = std::move(y);
      for (const Vector<double> *moved : {&x, &y})
        {
          EXPECT_EQ(moved->size(), 0);
          EXPECT_EQ(moved->n_owned(), 0);
          EXPECT_EQ(moved->n_tail(), 0);
        }
      EXPECT_EQ(z.n_owned(), 3);
      EXPECT_EQ(z.n_tail(), 2);
    }
}

TEST(Array, ValuesGoThereAndBack)
{
  for (const Backend backend : test::backends())
    for (const std::size_t n : sizes)
      {
        const std::vector<double> values = counted<double>(n);
        Array<double> array(backend, values);
        EXPECT_EQ(array.to_vector(), values);
        array.zero();
        EXPECT_EQ(array.to_vector(), std::vector<double>(n, 0.));
        array.copy_from(values);
        EXPECT_EQ(array.to_vector(), values);
      }
}

TEST(Array, HostMemoryIsAlignedForEveryVector)
{
  for (const std::size_t n : sizes)
    EXPECT_EQ(
      reinterpret_cast<std::uintptr_t>(Array<char>(Backend::host, n).data()) %
        64,
      0u);
}

TEST(Array, MovesItsMemory)
{
  static_assert(!std::is_copy_constructible<Array<int>>::value);
  for (const Backend backend : test::backends())
    {
      const std::vector<int> values = counted<int>(77);
      Array<int> from(backend, values);
      const int *const memory = from.data();
      Array<int> to(std::move(from));
      EXPECT_EQ(to.data(), memory);
      EXPECT_EQ(to.to_vector(), values);
      Array<int> other(backend, 5);
      other = std::move(to);
      EXPECT_EQ(other.data(), memory);
      EXPECT_EQ(other.to_vector(), values);
      EXPECT_EQ(other.backend(), backend);
    }
}

TEST(Array, OtherSizesAreRefused)
{
  for (const Backend backend : test::backends())
    {
      const std::vector<int> values = counted<int>(5);
      Array<int> array(backend, values);
      EXPECT_THROW(array.copy_from(counted<int>(4)), std::length_error);
      EXPECT_THROW(array.copy_from(counted<int>(6)), std::length_error);
      EXPECT_THROW(array.copy_from({}), std::length_error);
      EXPECT_EQ(array.to_vector(), values);
    }
}

TEST(Array, NothingIsAnArrayToo)
{
  for (const Backend backend : test::backends())
    {
      Array<double> from_size(backend, 0);
      Array<double> from_values(backend, std::vector<double>());
      Array<double> fresh;
      for (Array<double> *array : {&from_size, &from_values, &fresh})
        {
          EXPECT_EQ(array->size(), 0u);
          EXPECT_EQ(array->data(), nullptr);
          array->zero();
          array->copy_from({});
          EXPECT_TRUE(array->to_vector().empty());
        }
    }
}

TEST(Array, AbsurdSizesAreErrors)
{
  for (const Backend backend : test::backends())
    {
      expect_refused<double>(backend, std::size_t(1) << 50);
      // This number of bytes does not fit into 64 bits.
      expect_refused<double>(backend, std::size_t(1) << 61);
      expect_refused<double>(backend, (std::size_t(1) << 61) + 8);
      expect_refused<int>(backend, std::numeric_limits<std::size_t>::max());
      // The error must not affect later allocations.
      EXPECT_EQ(Array<int>(backend, 3).to_vector(), std::vector<int>(3, 0));
    }
}

TEST(Vector, IsOwnedThenTail)
{
  for (const Backend backend : test::backends())
    {
      Vector<float> vector(backend, 5, 3);
      EXPECT_EQ(vector.n_owned(), 5);
      EXPECT_EQ(vector.n_tail(), 3);
      EXPECT_EQ(vector.size(), 8);
      EXPECT_EQ(vector.backend(), backend);
      EXPECT_EQ(vector.tail(), vector.data() + 5);
      EXPECT_EQ(vector.to_vector(), std::vector<float>(8, 0));
      vector.copy_from(counted<float>(8));
      EXPECT_EQ(vector.to_vector(), counted<float>(8));
      EXPECT_THROW(vector.copy_from(counted<float>(5)), std::length_error);
      vector.zero();
      EXPECT_EQ(vector.to_vector(), std::vector<float>(8, 0));
    }
}
