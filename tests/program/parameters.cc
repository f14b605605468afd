#include <tessera/base/error.h>
#include <tessera/program/choices.h>
#include <tessera/program/parameters.h>

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace
{
  using namespace tessera;

  struct ParametersTest : testing::Test
  {
    Parameters parameters;

    ParametersTest()
    {
      parameters.declare("Mesh/Cycles", "3", Patterns::Integer(1, 9), "cycles");
      parameters.declare("Mesh/File", "", Patterns::Anything(), "file");
      parameters.declare("Boundary/Left/Value", "0", Patterns::Anything(),
                         "value");
    }

    std::string
    error_of(const std::string &text)
    {
      std::istringstream in(text);
      try
        {
          parameters.read(in, "case.prm");
        }
      catch (const ParameterError &error)
        {
          EXPECT_EQ(error.exit_code(), ExitCode::parameter);
          return error.what();
        }
      return "";
    }

    std::string
    error_of_setting(const std::string &path, const std::string &value)
    {
      try
        {
          parameters.set(path, value);
        }
      catch (const ParameterError &error)
        {
          return error.what();
        }
      return "";
    }
  };


  TEST_F(ParametersTest, ReadsNestedSectionsCommentsAndContinuedLines)
  {
    EXPECT_EQ(error_of("# a comment\n"
                       "subsection Mesh\n"
                       "  set Cycles = 5 # five\n"
                       "end\n"
                       "subsection Boundary\n"
                       "  subsection Left\n"
                       "    set Value = if(x == 0, \\\n"
                       "                   1, 2)\n"
                       "  end\n"
                       "end\n"),
              "");
    EXPECT_EQ(parameters.get_integer("Mesh/Cycles"), 5);
    const std::string value = parameters.get("Boundary/Left/Value");
    EXPECT_EQ(value.find("if(x == 0,"), 0u);
    EXPECT_NE(value.find("1, 2)"), std::string::npos);
  }


  TEST_F(ParametersTest, SkipsTheByteOrderMark)
  {
    EXPECT_EQ(error_of("\xEF\xBB\xBF# a comment\n"), "");
    EXPECT_EQ(error_of("\xEF\xBB\xBFsubsection Mesh\nend\n"), "");
    EXPECT_NE(error_of("# a comment\n\xEF\xBB\xBFsubsection Mesh\nend\n"), "");
  }


  TEST_F(ParametersTest, NamesFileLineAndNearestEntry)
  {
    EXPECT_EQ(error_of("subsection Mesh\n\n  set Cylces = 2\nend\n"),
              "case.prm:3: There is no entry 'Cylces' in section 'Mesh'; "
              "did you mean 'Cycles'?");
    EXPECT_EQ(error_of("subsection Mehs\nend\n"),
              "case.prm:1: There is no section 'Mehs'; did "
              "you mean 'Mesh'?");
    EXPECT_NE(error_of("subsection Boundary\n  subsection Lfet\n")
                .find("did you mean 'Left'?"),
              std::string::npos);
  }


  TEST_F(ParametersTest, NamesValueAndLegalOnes)
  {
    const std::string error = error_of("subsection Mesh\n set Cycles = 10\n");
    EXPECT_EQ(error.find("case.prm:2: '10' is not a legal value of "
                         "'Mesh/Cycles'; legal is: "),
              0u);
    EXPECT_NE(error.find('9'), std::string::npos);
    EXPECT_EQ(parameters.get_integer("Mesh/Cycles"), 3);
  }


  TEST_F(ParametersTest, RefusesBrokenStructure)
  {
    EXPECT_NE(error_of("subsection Mesh\n").find("not closed"),
              std::string::npos);
    EXPECT_NE(error_of("end\n").find("without an open"), std::string::npos);
    EXPECT_NE(error_of("subsection Mesh\n  Cycles = 3\n")
                .find("case.prm:2: Cannot read 'Cycles = 3'"),
              std::string::npos);
  }


  TEST_F(ParametersTest, ReadsAsDealIIDoes)
  {
    EXPECT_EQ(error_of("Subsection\tMesh\n\tSET\tCycles\t=\t7\nEND\n"), "");
    EXPECT_EQ(parameters.get_integer("Mesh/Cycles"), 7);
    EXPECT_TRUE(parameters.is_given("Mesh/Cycles"));
    EXPECT_FALSE(parameters.is_given("Boundary/Left/Value"));
  }


  TEST_F(ParametersTest, IncludesFiles)
  {
    const std::filesystem::path folder =
      testing::TempDir() + "tessera_include_" + std::to_string(getpid());
    std::filesystem::create_directories(folder / "below");
    const auto write = [&](const char *name, const std::string &text) {
      std::ofstream(folder / name) << text;
    };
    write("a.prm", "include below/b.prm\n");
    write("below/b.prm", "include c.prm\n");
    write("below/c.prm", "subsection Mesh\n  set Cycles = 8\nend\n");
    parameters.read((folder / "a.prm").string());
    EXPECT_EQ(parameters.get_integer("Mesh/Cycles"), 8);

    const auto refused = [&](const std::string &text) -> std::string {
      write("below/c.prm", text);
      try
        {
          parameters.read((folder / "a.prm").string());
        }
      catch (const ParameterError &error)
        {
          return error.what();
        }
      return "";
    };
    EXPECT_NE(refused("include ../a.prm\n").find("includes itself"),
              std::string::npos);
    EXPECT_NE(refused("include no.prm\n").find("c.prm:1: Cannot read the"),
              std::string::npos);
    EXPECT_NE(refused("subsection Mesh\ninclude a\n").find("outside of"),
              std::string::npos);
    std::filesystem::remove_all(folder);
  }


  TEST_F(ParametersTest, FormulasHaveTwoNames)
  {
    parameters.declare("Source/Function expression", "0", Patterns::Anything(),
                       "f");
    parameters.declare("Coefficient/Expression", "1", Patterns::Anything(),
                       "kappa");
    EXPECT_EQ(error_of("subsection Source\nset Expression = x\nend\n"
                       "subsection Coefficient\n"
                       "set Function expression = y\nend\n"),
              "");
    EXPECT_EQ(parameters.get("Source/Function expression"), "x");
    EXPECT_EQ(parameters.get("Coefficient/Expression"), "y");
  }


  TEST_F(ParametersTest, AMissingEndIsNamed)
  {
    EXPECT_EQ(error_of("subsection Mesh\n\nsubsection Boundary\nend\nend\n"),
              "case.prm:3: There is no section 'Boundary' in section 'Mesh'; "
              "there is one outside of it: is an 'end' missing that closes "
              "'Mesh'?");
    EXPECT_EQ(error_of("\nsubsection Mesh\n  set Cycles = 2\n"),
              "case.prm:3: Section 'Mesh' is not closed by 'end'; the last "
              "subsection was opened in line 2.");
  }


  /// Entries of subsections with any legal number behave alike.
  TEST_F(ParametersTest, NumbersOfSubsections)
  {
    for (const char *const path :
         {"Source/Material 1/Value", "Source/Material 2/Value", "Source/Scale"})
      parameters.declare(path, "0", Patterns::Anything(), "");
    parameters.declare_any_number("Source/Material");
    for (const std::string number : {"1", "3", "27", "99999"})
      EXPECT_EQ(error_of_setting("Source/Material " + number + "/Value", "1"),
                "");
    EXPECT_EQ(parameters.numbers("Source/Material"),
              (std::vector<int>{1, 2, 3, 27, 99999}));
    for (const std::string name :
         {"Material 0", "Material 03", "Material 100000",
          "Material 99999999999", "Material 1x", "Material -1", "Material",
          "Material3"})
      EXPECT_EQ(error_of("subsection Source\nsubsection " + name + "\n"),
                "case.prm:2: There is no section '" + name +
                  "' in section 'Source'; behind 'Material ' stands a whole "
                  "number from 1 to 99999 without leading zeros.");
    EXPECT_EQ(error_of_setting("Source/Materials/Value", "1"),
              "-s 'Source/Materials/Value=1': There is no section 'Materials' "
              "in section 'Source'; did you mean 'Material 1'?");
    EXPECT_EQ(error_of_setting("Source/Frog/Value", "1"),
              "-s 'Source/Frog/Value=1': There is no section 'Frog' in section "
              "'Source'; there are Material 1, 2, ...");
  }


  TEST_F(ParametersTest, OverridesObeyThePatterns)
  {
    EXPECT_EQ(error_of_setting("Mesh/Cycles ", " 7"), "");
    EXPECT_EQ(parameters.get_integer("Mesh/Cycles"), 7);
    EXPECT_NE(error_of_setting("Mesh/Cycles", "0").find("not a legal value"),
              std::string::npos);
    EXPECT_NE(error_of_setting("Mesh/Cycle", "1").find("'Cycles'?"),
              std::string::npos);
    EXPECT_EQ(error_of_setting("Mesh/Cycles", "7\n"), "");
    EXPECT_EQ(error_of_setting("Mesh/Cycles", "7\nset Cycles = 8"),
              "A value of -s has a control character.");
    EXPECT_NE(error_of_setting("Mash/Cycles", "1").find("'Mesh'?"),
              std::string::npos);
  }


  TEST_F(ParametersTest, PatternsMatchAsThoseOfDealII)
  {
    const auto matches = [](const Pattern &pattern,
                            const std::vector<std::string> &values) {
      std::string result;
      for (const std::string &value : values)
        result += pattern.match(value) ? '1' : '0';
      return result;
    };
    EXPECT_EQ(
      matches(Patterns::Integer(0), {"1", " 3 ", "+4", "1.5", "1e5", "3 4", "",
                                     "-1", "0x10", "99999999999"}),
      "1110000000");
    EXPECT_EQ(matches(Patterns::Double(0.), {"1", "1.", "1e5", "1e-320", "-1",
                                             "0x10", "nan", "inf", "1e999"}),
              "111100000");
    EXPECT_EQ(matches(Patterns::Double(), {"-1", "1 2"}), "10");
    EXPECT_EQ(matches(Patterns::Bool(), {"true", "false", "TRUE", "yes", "1"}),
              "11000");
    EXPECT_EQ(
      matches(Patterns::Selection("a | b"), {"a", "b", "a ", "", "a|b"}),
      "11000");
    EXPECT_EQ(matches(Patterns::List(Patterns::Selection("a|b"), 1, 2),
                      {"a", " a , b ", "a,,b", "a,b,a", ""}),
              "11000");
    EXPECT_EQ(matches(names_or_all({"a", "b"}), {"all", "a, b", "all, a", ""}),
              "1100");
    EXPECT_EQ(Patterns::Double(0.).legal,
              "A floating point number v such that 0 <= v <= MAX_DOUBLE");
    EXPECT_EQ(Patterns::List(Patterns::Integer(1, 4), 1, 64).legal,
              "A list of 1 to 64 elements where each element is [An integer n "
              "such that 1 <= n <= 4]");
  }


  TEST_F(ParametersTest, DefaultsAreLegalAndEntriesDeclared)
  {
    EXPECT_THROW(parameters.declare("A", "0", Patterns::Integer(1), ""),
                 std::logic_error);
    EXPECT_THROW(parameters.get("Mesh/Nothing"), std::logic_error);
    EXPECT_FALSE(parameters.is_changed("Mesh/Cycles"));
    parameters.set("Mesh/Cycles", "3");
    EXPECT_FALSE(parameters.is_changed("Mesh/Cycles"));
    EXPECT_TRUE(parameters.is_given("Mesh/Cycles"));
  }


  // Values may be names of files, fields of files, or no names at all.
  TEST_F(ParametersTest, FilesAreFoundInValues)
  {
    const std::string file = ::testing::TempDir() + "a_field.vtu";
    std::ofstream(file) << "text";
    parameters.set("Boundary/Left/Value", "file " + file + " : u : 2 * u");
    EXPECT_EQ(parameters.files().size(), 1u);
    EXPECT_EQ(parameters.files().at("Boundary/Left/Value"), file);
    parameters.set("Mesh/File", file);
    EXPECT_EQ(parameters.files().at("Mesh/File"), file);
    parameters.set("Mesh/File", ::testing::TempDir());
    for (const std::string &text :
         {std::string(100000, 'x'), "file " + std::string(300, '/'),
          std::string("file"), std::string("file :"), std::string("\n")})
      {
        parameters.set("Boundary/Left/Value", text);
        EXPECT_TRUE(parameters.files().empty()) << text;
      }
    std::filesystem::remove(file);
  }


  TEST_F(ParametersTest, PrintsWhatItReads)
  {
    parameters.set("Boundary/Left/Value", "x*y");
    std::ostringstream out;
    parameters.print(out);
    parameters.set("Boundary/Left/Value", "0");
    EXPECT_EQ(error_of(out.str()), "");
    EXPECT_EQ(parameters.get("Boundary/Left/Value"), "x*y");
    EXPECT_EQ(parameters.values().size(), 3u);
    EXPECT_EQ(out.str(),
              "subsection Mesh\n"
              "  # cycles\n"
              "  set Cycles = 3\n\n"
              "  # file\n"
              "  set File = \n\n"
              "end\n\n"
              "subsection Boundary\n"
              "  subsection Left\n"
              "    # value\n"
              "    set Value = x*y # default: 0\n\n"
              "  end\n"
              "end\n\n");
  }
} // namespace
