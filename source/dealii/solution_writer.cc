#include <tessera/base/error.h>
#include <tessera/dealii/solution_writer.h>

#include <deal.II/numerics/data_out.h>

#include <fstream>
#include <functional>

namespace tessera
{
  namespace
  {
    void
    write_file(const std::string &path,
               const std::function<void(std::ostream &)> &content)
    {
      std::ofstream out(path);
      if (out)
        content(out);
      out.close();
      if (!out)
        throw Error(ExitCode::other,
                    "The file '" + path + "' cannot be written.");
    }
  } // namespace


  SolutionWriter::SolutionWriter(const std::string &folder) : folder(folder)
  {}


  void
  SolutionWriter::write(const dealii::DoFHandler<2> &dof_handler,
                        const std::vector<Field> &fields,
                        const std::string &name)
  {
    dealii::DataOut<2> data;
    data.attach_dof_handler(dof_handler);
    for (const auto &[field, values] : fields)
      data.add_data_vector(*values, field);
    data.build_patches(dof_handler.get_fe().degree);
    write_file(folder + '/' + name + ".vtu",
               [&](std::ostream &out) { data.write_vtu(out); });
    steps.emplace_back(steps.size(), name + ".vtu");
    write_file(file(), [&](std::ostream &out) {
      dealii::DataOutBase::write_pvd_record(out, steps);
    });
  }


  std::string
  SolutionWriter::file() const
  {
    return steps.empty() ? "" : folder + "/solution.pvd";
  }
} // namespace tessera
