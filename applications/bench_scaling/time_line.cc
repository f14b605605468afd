#include "time_line.h"

namespace tessera::benchmarks
{
  namespace
  {
    class WatchedChannel : public Channel
    {
    public:
      WatchedChannel(TimeLine &line, std::string name,
                     std::unique_ptr<Channel> inner)
        : line(line), name(std::move(name)), inner(std::move(inner))
      {}

      void
      begin(const void *const out, void *const in, const Stream stream) override
      {
        line.mark(name + "_begin", stream);
        inner->begin(out, in, stream);
        line.mark_arrival(name + "_end", *inner);
      }

      void
      finish(const Stream stream) override
      {
        inner->finish(stream);
        line.mark(name + "_waited", stream);
      }

    private:
      TimeLine &line;
      std::string name;
      std::unique_ptr<Channel> inner;
    };

    class WatchedTransport : public Transport
    {
    public:
      WatchedTransport(TimeLine &line, const Transport &inner)
        : line(line), inner(inner)
      {}

      std::unique_ptr<Channel>
      open(const Envelopes &out, const Envelopes &in,
           const std::size_t bytes) const override
      {
        const std::string name = n_open++ == 0 ? "import" : "export";
        return std::make_unique<WatchedChannel>(line, name,
                                                inner.open(out, in, bytes));
      }

      std::string
      name() const override
      {
        return inner.name();
      }

    private:
      TimeLine &line;
      const Transport &inner;
      mutable int n_open = 0;
    };

    class WatchedTail : public Tail<double>
    {
    public:
      WatchedTail(TimeLine &line, std::shared_ptr<const Tail<double>> inner)
        : line(line), inner(std::move(inner))
      {}

      void
      import(const Vector<double> &x, const Stream stream) const override
      {
        begin_import(x, stream);
        finish_import(x, stream);
      }

      bool
      overlaps() const override
      {
        return inner->overlaps();
      }

      void
      begin_import(const Vector<double> &x, const Stream stream) const override
      {
        line.mark("pack_begin", stream);
        inner->begin_import(x, stream);
        line.mark("interior_begin", stream);
      }

      void
      finish_import(const Vector<double> &x, const Stream stream) const override
      {
        line.mark("interior_end", stream);
        inner->finish_import(x, stream);
        line.mark("boundary_begin", stream);
      }

      void
      export_add(Vector<double> &y, const Stream stream) const override
      {
        begin_export(y, stream);
        finish_export(y, stream);
      }

      void
      begin_export(Vector<double> &y, const Stream stream) const override
      {
        line.mark("boundary_end", stream);
        inner->begin_export(y, stream);
        line.mark("rest_begin", stream);
      }

      void
      finish_export(Vector<double> &y, const Stream stream) const override
      {
        line.mark("rest_end", stream);
        inner->finish_export(y, stream);
        line.mark("add_end", stream);
      }

    private:
      TimeLine &line;
      std::shared_ptr<const Tail<double>> inner;
    };
  } // namespace

  TimeLine::TimeLine(const Backend backend, const bool apart)
    : backend(backend),
      beside(apart ? std::make_unique<runtime::RecordingStream>() : nullptr)
  {}

  std::unique_ptr<Transport>
  TimeLine::watch(const Transport &inner)
  {
    return std::make_unique<WatchedTransport>(*this, inner);
  }

  std::shared_ptr<const Tail<double>>
  TimeLine::watch(std::shared_ptr<const Tail<double>> inner)
  {
    return std::make_shared<WatchedTail>(*this, std::move(inner));
  }

  void
  TimeLine::begin()
  {
    marks.clear();
    zero = std::make_unique<Mark>(backend, Stream());
  }

  void
  TimeLine::start()
  {
    watching = true;
  }

  TimeLine::Mark::Mark(const Backend backend, const Stream stream)
    : clock(std::chrono::steady_clock::now()),
      device(backend == Backend::cuda
               ? std::make_unique<runtime::Moment>(stream)
               : nullptr)
  {}

  double
  TimeLine::Mark::since(const Mark &earlier) const
  {
    return device
             ? device->since(*earlier.device)
             : std::chrono::duration<double>(clock - earlier.clock).count();
  }

  void
  TimeLine::mark(const std::string &name, const Stream stream)
  {
    if (watching)
      marks.try_emplace(name, backend, stream);
  }

  void
  TimeLine::mark_arrival(const std::string &name, Channel &channel)
  {
    if (!watching || !beside)
      return;
    channel.finish(beside->stream);
    mark(name, beside->stream);
  }

  std::map<std::string, double>
  TimeLine::seconds() const
  {
    std::map<std::string, double> of;
    for (const auto &[name, mark] : marks)
      of[name] = mark.since(*zero);
    // A part that has no mark of its own begins or ends with another one.
    const auto same = [&](const char *const name, const char *const other) {
      of.emplace(name, of.at(other));
    };
    same("pack_end", "import_begin");
    same("import_end", "import_waited");
    same("unpack_begin", "import_waited");
    same("unpack_end", "boundary_begin");
    same("pack_export_begin", "boundary_end");
    same("pack_export_end", "export_begin");
    same("export_end", "export_waited");
    same("add_begin", "export_waited");
    of.erase("import_waited");
    of.erase("export_waited");
    return of;
  }
} // namespace tessera::benchmarks
