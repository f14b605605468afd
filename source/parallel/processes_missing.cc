#include <tessera/base/error.h>
#include <tessera/parallel/messages.h>
#include <tessera/parallel/processes.h>
#include <tessera/parallel/write_together.h>

#include <cstdlib>

// Without MPI a program has one process.
namespace tessera
{
  struct Processes::Handle
  {};

  namespace
  {
    [[noreturn]] void
    refuse()
    {
      throw Error(ExitCode::other,
                  "This build has no MPI (Debian: libopenmpi-dev), so that a "
                  "program has one process.");
    }
  } // namespace

  bool
  started_by_mpi()
  {
    return false;
  }

  const Processes &
  Processes::of_program()
  {
    return alone();
  }

  Processes::Processes(const bool starts_mpi)
  {
    if (starts_mpi)
      refuse();
  }

  Processes::~Processes() = default;

  std::vector<double>
  Processes::gather(const double value) const
  {
    return {value};
  }

  void
  Processes::sum(std::vector<double> &) const
  {}

  bool
  Processes::any(const bool local) const
  {
    return local;
  }

  double
  Processes::largest(const double value) const
  {
    return value;
  }

  std::string
  Processes::first_text(const std::string &text) const
  {
    return text;
  }

  std::vector<char>
  Processes::deal_out(const std::function<std::vector<char>(int)> &make) const
  {
    return make(0);
  }

  bool
  Processes::agree_on(const std::string &) const
  {
    return true;
  }

  void
  Processes::wait() const
  {}

  bool
  Processes::wait(double) const
  {
    return true;
  }

  void
  Processes::abort(const ExitCode code) const
  {
    std::_Exit(static_cast<int>(code));
  }

  void
  Processes::collectively(const std::function<void()> &work) const
  {
    work();
  }

  SharedNodes
  Processes::agree(const std::vector<GhostPlan> &,
                   const std::vector<std::int64_t> &) const
  {
    return {};
  }

  int
  set_device_of_process(const Processes &, int)
  {
    refuse();
  }

  std::shared_ptr<const Transport>
  make_transport(const Processes &, Backend)
  {
    refuse();
  }

  std::shared_ptr<const Transport>
  make_mpi_transport(const Processes &, Backend, const std::string &)
  {
    refuse();
  }

  std::shared_ptr<const Messages>
  make_messages(const Processes &)
  {
    return std::make_shared<const Messages>();
  }

  void
  write_together(const Processes &,
                 const std::function<void(const CollectBytes &)> &write,
                 const CollectBytes &produce)
  {
    write(produce);
  }
} // namespace tessera
