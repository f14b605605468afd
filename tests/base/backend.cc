#include "test.h"

#include <tessera/base/error.h>
#include <tessera/base/runtime.h>

using namespace tessera;

namespace
{
  std::string sentence;

  /// Returns the exit code that a choice ends with, or 0 if it is good.
  int
  exit_code_of(const std::string &name, const int device = 0)
  {
    sentence.clear();
    try
      {
        choose_backend(name, device);
      }
    catch (const Error &error)
      {
        sentence = error.what();
        return static_cast<int>(error.exit_code());
      }
    return 0;
  }

  /// Describes the shim before the program's `main` enables its device.
  struct WithoutDevice
  {
    int n_devices  = -1;
    int cuda       = -1;
    Backend chosen = Backend::cuda;
    std::string why;

    WithoutDevice()
    {
      if (!runtime::is_shim())
        return;
      n_devices                  = runtime::n_devices();
      cuda                       = exit_code_of("cuda");
      const BackendChoice choice = choose_backend("auto", 3);
      chosen                     = choice.backend;
      why                        = choice.reason;
    }
  };

  const WithoutDevice without_device;
} // namespace

TEST(ChooseBackend, HostIsAlwaysThere)
{
  const BackendChoice choice = choose_backend("host");
  EXPECT_EQ(choice.backend, Backend::host);
  EXPECT_FALSE(choice.reason.empty());
  EXPECT_EQ(choice.reason.find("device"), std::string::npos);
  EXPECT_NE(choose_backend("host", 7).reason.find("device 7 is not used"),
            std::string::npos);
}

TEST(ChooseBackend, TheCurrentDeviceIsChangedByUseAlone)
{
  if (!runtime::is_shim() || test::backends().size() < 2)
    return;
  runtime::set_device(7); // which the shim accepts
  for (const std::string name : {"cuda", "auto"})
    {
      choose_backend(name, 0);
      EXPECT_EQ(runtime::current_device(), 7);
    }
  use_backend("host", 0);
  EXPECT_EQ(runtime::current_device(), 7);
  use_backend("cuda", 0);
  EXPECT_EQ(runtime::current_device(), 0);
}

TEST(ChooseBackend, UnknownNamesAreRefused)
{
  for (const std::string name : {"gpu", "CUDA", "", "hosts"})
    {
      EXPECT_EQ(exit_code_of(name), 2) << name;
      for (const std::string &part : {"'" + name + "'", std::string("auto"),
                                      std::string("host"), std::string("cuda")})
        EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
    }
}

TEST(ChooseBackend, WithoutADeviceCudaIsAnErrorAndAutoIsTheHost)
{
  if (runtime::is_shim())
    {
      EXPECT_EQ(without_device.n_devices, 0);
      EXPECT_EQ(without_device.cuda, 6);
      EXPECT_EQ(without_device.chosen, Backend::host);
      EXPECT_FALSE(without_device.why.empty());
    }
  else if (runtime::n_devices() == 0)
    {
      EXPECT_EQ(exit_code_of("cuda"), 6);
      EXPECT_EQ(choose_backend("auto").backend, Backend::host);
    }
}

TEST(ChooseBackend, DevicesAreThoseThatExist)
{
  for (const Backend backend : test::backends())
    if (backend == Backend::cuda)
      {
        const int n = runtime::n_devices();
        for (int device = 0; device < n; ++device)
          for (const std::string name : {"cuda", "auto"})
            EXPECT_EQ(choose_backend(name, device).backend, Backend::cuda);
        for (const int device : {-1, n, n + 7})
          for (const std::string name : {"cuda", "auto"})
            {
              EXPECT_EQ(exit_code_of(name, device), 6) << device;
              EXPECT_NE(sentence.find("Device " + std::to_string(device)),
                        std::string::npos)
                << sentence;
            }
      }
  EXPECT_EQ(to_string(Backend::host), "host");
  EXPECT_EQ(to_string(Backend::cuda), "cuda");
}
