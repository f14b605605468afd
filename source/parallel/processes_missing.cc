#include <tessera/base/error.h>
#include <tessera/parallel/messages.h>
#include <tessera/parallel/processes.h>
#include <tessera/parallel/write_together.h>

// Without MPI a program has one process, and nothing calls what is for several.
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

  const Processes *
  Processes::of_program()
  {
    return nullptr;
  }

  Processes::Processes()
  {
    refuse();
  }

  Processes::~Processes() = default;

  int
  Processes::rank() const
  {
    return 0;
  }

  int
  Processes::size() const
  {
    return 1;
  }

  int
  Processes::rank_on_machine() const
  {
    return 0;
  }

  int
  Processes::size_on_machine() const
  {
    return 1;
  }

  std::vector<double>
  Processes::gather(double) const
  {
    refuse();
  }

  void
  Processes::sum(std::vector<double> &) const
  {
    refuse();
  }

  bool
  Processes::any(bool) const
  {
    refuse();
  }

  double
  Processes::largest(double) const
  {
    refuse();
  }

  std::string
  Processes::first_text(const std::string &) const
  {
    refuse();
  }

  std::vector<char>
  Processes::deal_out(const std::function<std::vector<char>(int)> &) const
  {
    refuse();
  }

  bool
  Processes::agree_on(const std::string &) const
  {
    refuse();
  }

  void
  Processes::wait() const
  {
    refuse();
  }

  bool
  Processes::wait(double) const
  {
    refuse();
  }

  void
  Processes::abort(ExitCode) const
  {
    refuse();
  }

  void
  Processes::collectively(const std::function<void()> &) const
  {
    refuse();
  }

  SharedNodes
  Processes::agree(const std::vector<GhostPlan> &,
                   const std::vector<std::int64_t> &) const
  {
    refuse();
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
    refuse();
  }

  void
  write_together(const Processes &,
                 const std::function<void(const CollectBytes &)> &,
                 const CollectBytes &)
  {
    refuse();
  }
} // namespace tessera
