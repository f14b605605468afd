#pragma once

#include <hdf5.h>

#include <stdexcept>
#include <string>

/// What every use of HDF5's C library needs.
namespace tessera::hdf5
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
  class Silence
  {
  public:
    Silence()
    {
      H5Eget_auto2(H5E_DEFAULT, &print, &data);
      H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }

    ~Silence()
    {
      H5Eset_auto2(H5E_DEFAULT, print, data);
    }

    Silence(const Silence &) = delete;
    Silence &
    operator=(const Silence &) = delete;

  private:
    H5E_auto2_t print = nullptr;
    void *data        = nullptr;
  };
} // namespace tessera::hdf5
