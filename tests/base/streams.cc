#include <tessera/base/recording_stream.h>
#include <tessera/base/vector_operations.h>

#include <optional>

#include "test.h"

// A stream and the default stream wait for each other's work, although the host
// waits for neither. Here one of them is busy first, so that whatever does not
// wait for it is done long before.
namespace tessera
{
  class Streams : public testing::Test
  {
  protected:
    void
    SetUp() override
    {
      if (test::backends().back() == Backend::host)
        GTEST_SKIP() << "streams are a device's";
      stream = runtime::create_stream();
      values = Vector<double>(Backend::cuda, n, 0);
      result = Vector<double>(Backend::cuda, n, 0);
      filled = Array<char>(Backend::cuda, runtime::is_shim() ? 1 : 1 << 29);
      on.emplace(Backend::cuda, n);
      keep_busy({});
      // A device takes a thousand calls before the host has to wait.
      const double seconds = runtime::elapsed({}, [&]() { keep_busy({}); });
      n_fills = static_cast<int>(std::min(900., 0.05 / seconds + 1));
    }

    void
    TearDown() override
    {
      if (stream.handle != nullptr)
        runtime::destroy_stream(stream);
    }

    /// Issues work of a twentieth of a second, or of 900 calls.
    void
    keep_busy(const Stream where)
    {
      for (int i = 0; i < n_fills; ++i)
        runtime::fill_async(filled.data(), 1, filled.bytes(), where);
    }

    void
    copy(Vector<double> &to, const Vector<double> &from, const Stream where)
    {
      runtime::copy_async(to.data(), from.data(), n * sizeof(double),
                          runtime::Copy::device_to_device, where);
    }

    /// Returns what a reader in a stream sees of the values.
    std::vector<double>
    seen_in(const Stream where)
    {
      copy(result, values, where);
      runtime::synchronize(where);
      return result.to_vector();
    }

    static constexpr int n          = 100;
    const std::vector<double> zeros = std::vector<double>(n, 0.),
                              ones  = std::vector<double>(n, 1.);
    Stream stream;
    Vector<double> values, result;
    Array<char> filled;
    int n_fills = 1;
    std::optional<VectorOperations<double>> on;
  };

  TEST_F(Streams, FollowTheDefaultStream)
  {
    const Vector<double> from(Backend::cuda, n, 0); // zeros
    const std::pair<const char *, std::function<void()>> writers[] = {
      {"an upload", [&]() { values.copy_from(zeros); }},
      {"a fill", [&]() { values.zero(); }},
      {"a copy", [&]() { copy(values, from, {}); }},
      {"a kernel", [&]() { on->combine(1., from, 0., values); }}};
    for (const auto &[name, write] : writers)
      {
        SCOPED_TRACE(name);
        values.copy_from(ones);
        keep_busy({});
        write();
        EXPECT_EQ(seen_in(stream), zeros);
      }
  }

  TEST_F(Streams, AreFollowedByTheDefaultStream)
  {
    const std::pair<const char *, std::function<void()>> writers[] = {
      {"an upload", [&]() { values.copy_from(zeros); }},
      {"a fill", [&]() { values.zero(); }}};
    for (const auto &[name, write] : writers)
      {
        SCOPED_TRACE(name);
        values.copy_from(ones);
        result.copy_from(zeros);
        keep_busy(stream);
        copy(result, values, stream);
        write();
        EXPECT_EQ(result.to_vector(), ones);
      }
    keep_busy(stream);
    on->combine(0., values, 0., result, stream);
    EXPECT_EQ(result.to_vector(), zeros);
  }

  TEST_F(Streams, FindWhatWasCopiedEvenIfTheyDoNotWait)
  {
    const runtime::RecordingStream apart;
    keep_busy({});
    values.copy_from(ones);
    EXPECT_EQ(seen_in(apart.stream), ones);
    const Vector<double> from(Backend::cuda, n, 0);
    keep_busy({});
    runtime::copy(values.data(), from.data(), n * sizeof(double),
                  runtime::Copy::device_to_device);
    EXPECT_EQ(seen_in(apart.stream), zeros);
  }
} // namespace tessera
