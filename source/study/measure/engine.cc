#include "engine.h"

#include <tessera/program/program.h>

#include <omp.h>

#include <cmath>
#include <iostream>
#include <map>
#include <new>
#include <set>

namespace tessera::benchmarks
{
  using namespace program;

  OptionValues
  Variant::options() const
  {
    OptionValues options;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const OptionSet *const set = (*factors)[i].set;
          set != nullptr && !values[i].empty())
        options.merge(set->read(values[i]));
    return options;
  }

  void
  Variant::show_options(Row &row) const
  {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const OptionSet *const set = (*factors)[i].set;
          set != nullptr && !values[i].empty())
        {
          const auto number = set->options.front().number(set->read(values[i]));
          if (set->options.size() == 1 && number)
            row.parameters[set->key()] = std::int64_t(*number);
          else
            row.parameters[set->key()] = values[i];
        }
  }

  std::vector<Variants>
  group_by(const Variants &variants, const Names &factors)
  {
    std::vector<Variants> groups;
    std::map<Names, std::size_t> known;
    for (const Variant &variant : variants)
      {
        Names values;
        for (const std::string &factor : factors)
          values.push_back(variant[factor]);
        const auto [place, is_new] = known.emplace(values, groups.size());
        if (is_new)
          groups.emplace_back();
        groups[place->second].push_back(variant);
      }
    return groups;
  }

  Names
  values_of(const Variants &variants, const std::string &factor)
  {
    Names result;
    for (const Variants &group : group_by(variants, {factor}))
      if (const std::string &value = group.front()[factor]; !value.empty())
        result.push_back(value);
    return result;
  }

  Study::Study(const Parameters &parameters, const Factors &factors,
               const int device)
    : parameters(parameters), factors(factors),
      values(read_factors(parameters, factors)),
      n_samples(parameters.get_integer("Study/Samples")),
      seed(parameters.get_integer("Study/Seed")),
      distortion(generates_meshes(factors)
                   ? parameters.get_double("Study/Distortion")
                   : 0.),
      error_limit(parameters.get_double("Study/Error limit"))
  {
    for (std::size_t i = 0; i < factors.size(); ++i)
      if (factors[i].name == "Backends")
        for (std::string &backend : values[i])
          if (backend == "auto")
            backend = to_string(choose_backend("auto", device).backend);
  }

  Variants
  Study::make(const Lists &combinations, const Names &kinds,
              const std::function<void(Variant &)> &canonical) const
  {
    Variants result;
    std::set<Variant> known;
    for (const Names &combination : combinations)
      for (const std::string &kind : kinds)
        {
          Variant variant(factors, combination, kind);
          canonical(variant);
          if (known.insert(variant).second)
            result.push_back(std::move(variant));
        }
    return result;
  }

  Variants
  Study::variants(const std::function<void(Variant &)> &canonical,
                  const Names &kinds) const
  {
    return make(combine(parameters, factors, values), kinds, canonical);
  }

  Variants
  Study::variants_of(const Names &some,
                     const std::function<void(Variant &)> &canonical) const
  {
    Lists lists = values;
    for (std::size_t i = 0; i < lists.size(); ++i)
      if (!contains(some, factors[i].name))
        lists[i] = {""};
    return make(all_combinations(lists), {""}, canonical);
  }

  MeasureOptions
  timing_of(const int n_samples)
  {
    MeasureOptions timing;
    timing.n_samples = n_samples;
    timing.go_on     = []() { return !interrupted(); };
    return timing;
  }

  Parameters &
  with_options(Parameters &parameters, const CommandLine &line,
               const bool has_threads)
  {
    if (line.backend != "auto")
      parameters.set("Factors/Backends", line.backend);
    if (line.threads != 0 && has_threads)
      parameters.set("Factors/Threads", std::to_string(line.threads));
    return parameters;
  }

  BackendChoice
  use_backend(const std::string &name, const CommandLine &line,
              const Team &team)
  {
    BackendChoice choice;
    team.processes.collectively([&]() {
      choice = choose_backend(name, line.device);
      if (choice.backend == Backend::host || line.validate)
        return;
      if (team.processes.size() == 1)
        runtime::set_device(line.device);
      else
        set_device_of_process(team.processes,
                              line.device_given ? line.device : -1);
    });
    return choice;
  }

  Backend
  begin(const CommandLine &line, const Team &team)
  {
    if (line.threads > 0)
      omp_set_num_threads(line.threads);
    const BackendChoice choice = use_backend(line.backend, line, team);
    std::cerr << "backend: " << to_string(choice.backend) << ", "
              << choice.reason << std::endl;
    return choice.backend;
  }

  void
  open(Record &record, const Parameters &parameters, const CommandLine &line,
       const Backend backend, const double copy_bandwidth)
  {
    record.set_parameters(parameters.values());
    record.set_seed(parameters.get_integer("Study/Seed"));
    if (backend == Backend::cuda)
      record.set_device(runtime::properties(runtime::current_device()),
                        copy_bandwidth);
    record.open(line.output_folder);
  }

  void
  open(Record &record, const Study &study, const CommandLine &line,
       const std::function<void()> &use_device, const Team &team)
  {
    Backend backend  = Backend::host;
    double bandwidth = not_measured;
    if (contains(study["Backends"], to_string(Backend::cuda)))
      try
        {
          use_device();
          bandwidth = copy_bandwidth(Backend::cuda);
          backend   = Backend::cuda;
        }
      catch (const DeviceError &)
        {} // rows say so
    team.processes.collectively([&]() {
      if (team.processes.rank() == 0)
        open(record, study.parameters, line, backend, bandwidth);
    });
  }

  ExitCode
  valid()
  {
    std::cout << "VALID: nothing was measured." << std::endl;
    return ExitCode::done;
  }

  void
  attempt(const std::function<void()> &work,
          const std::function<void(const std::exception_ptr &)> &give_up,
          const Team &team)
  {
    std::exception_ptr failure;
    try
      {
        return work();
      }
    catch (const Error &error)
      {
        if (error.exit_code() == ExitCode::interrupted)
          throw;
        failure = std::current_exception();
      }
    catch (const std::bad_alloc &)
      {
        failure = std::current_exception();
      }
    throw_if_interrupted();
    if (!team.all_failed())
      std::rethrow_exception(failure);
    give_up(failure);
  }

  namespace
  {
    using GiveUp =
      std::function<void(const Variants &, const std::exception_ptr &)>;

    void
    run_level(const Variants &variants, const std::vector<Level> &levels,
              const std::size_t n, const GiveUp &give_up, const Team &team)
    {
      if (n == levels.size())
        return;
      for (Variants &group : group_by(variants, levels[n].factors))
        {
          team.throw_if_interrupted();
          bool is_made    = false;
          const auto make = [&]() {
            levels[n].make(group);
            is_made = true;
          };
          if (give_up)
            attempt(
              make,
              [&](const std::exception_ptr &failure) {
                give_up(group, failure);
              },
              team);
          else
            make();
          if (!is_made || group.empty())
            continue;
          run_level(group, levels, n + 1, give_up, team);
          if (levels[n].end)
            levels[n].end(group);
        }
    }
  } // namespace

  void
  run_levels(const Variants &variants, const std::vector<Level> &levels,
             const GiveUp &give_up, const Team &team)
  {
    run_level(variants, levels, 0, give_up, team);
  }

  ExitCode
  finish(const Record &record, const Report &report,
         const std::function<void()> &sweep)
  {
    const auto conclude = [&](const std::string &verdict) {
      std::cout << report.str() << verdict << "Open " << record.path()
                << std::endl;
    };
    try
      {
        sweep();
      }
    catch (...)
      {
        conclude(report.wrong() ? report.verdict()
                                : "The run ended before all rows.\n");
        throw;
      }
    conclude(report.verdict());
    if (report.wrong())
      throw ValidationFailed("The measurement failed: " + report.failure() +
                             '.');
    return ExitCode::done;
  }
} // namespace tessera::benchmarks
