#pragma once

#include <tessera/space/cell_type.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace tessera::mesh_files
{
  /// Returns true for a keyword of Abaqus, in upper case without blanks, that
  /// changes neither the mesh nor its sets and surfaces: of materials,
  /// sections, contact, conditions and output. Keywords that join parts, such
  /// as *TIE and *EQUATION, are not among them.
  inline bool
  leaves_mesh(const std::string &keyword)
  {
    static const auto names = []() {
      std::istringstream list(
        // The model.
        "AMPLITUDE BOUNDARY DISTRIBUTION DISTRIBUTIONTABLE FILEFORMAT FILTER "
        "HEADING INITIALCONDITIONS NORMAL ORIENTATION PHYSICALCONSTANTS "
        "PREPRINT RESTART SUBMODEL TIMEPOINTS TRANSFORM "
        // Conditions, which belong into steps.
        "BASEMOTION CFILM CFLUX CLOAD CONNECTORLOAD CONNECTORMOTION CRADIATE "
        "DFLUX DLOAD DSFLUX DSLOAD FIELD FILM FILMPROPERTY FLOW FOUNDATION "
        "INERTIARELIEF MASSFLOWRATE RADIATE SFILM SFLOW SFOUNDATION "
        "SRADIATE TEMPERATURE "
        // Sections.
        "BEAMGENERALSECTION BEAMSECTION COHESIVESECTION GASKETSECTION "
        "HOURGLASSSTIFFNESS MEMBRANESECTION NODALTHICKNESS SECTIONCONTROLS "
        "SHELLGENERALSECTION SHELLSECTION SOLIDSECTION SURFACESECTION "
        "TRANSVERSESHEAR TRANSVERSESHEARSTIFFNESS "
        // Materials.
        "ANISOTROPICHYPERELASTIC BIAXIALTESTDATA CAPHARDENING CAPPLASTICITY "
        "CASTIRONCOMPRESSIONHARDENING CASTIRONPLASTICITY "
        "CASTIRONTENSIONHARDENING CLAYHARDENING CLAYPLASTICITY "
        "COMBINEDTESTDATA CONCRETE CONCRETECOMPRESSIONDAMAGE "
        "CONCRETECOMPRESSIONHARDENING CONCRETEDAMAGEDPLASTICITY "
        "CONCRETETENSIONDAMAGE CONCRETETENSIONSTIFFENING CONDUCTIVITY CREEP "
        "CRUSHABLEFOAM CRUSHABLEFOAMHARDENING CYCLICHARDENING "
        "DAMAGEEVOLUTION DAMAGEINITIATION DAMAGESTABILIZATION DAMPING "
        "DEFORMATIONPLASTICITY DENSITY DEPVAR DIELECTRIC DIFFUSIVITY "
        "DRUCKERPRAGER DRUCKERPRAGERCREEP DRUCKERPRAGERHARDENING ELASTIC "
        "ELECTRICALCONDUCTIVITY EOS EXPANSION FAILSTRAIN FAILSTRESS "
        "FAILURERATIOS FLUIDCONSTANTS HEATGENERATION HYPERELASTIC HYPERFOAM "
        "HYPOELASTIC INELASTICHEATFRACTION JOINTEDMATERIAL "
        "JOULEHEATFRACTION LATENTHEAT MAGNETICPERMEABILITY MATERIAL "
        "MOHRCOULOMB MOHRCOULOMBHARDENING MULLINSEFFECT NOCOMPRESSION "
        "NOTENSION PERMEABILITY PIEZOELECTRIC PLANARTESTDATA PLASTIC "
        "POROUSELASTIC POTENTIAL RATEDEPENDENT SHEARFAILURE SHEARRETENTION "
        "SIMPLESHEARTESTDATA SOLUBILITY SPECIFICGASCONSTANT SPECIFICHEAT "
        "SUPERELASTIC SUPERELASTICHARDENING SWELLING TENSILEFAILURE "
        "TENSIONCUTOFF TENSIONSTIFFENING TRS UNIAXIALTESTDATA USERMATERIAL "
        "USEROUTPUTVARIABLES VISCOELASTIC VISCOUS VOLUMETRICTESTDATA "
        // Contact, which presses parts together but does not join them.
        "CLEARANCE COHESIVEBEHAVIOR CONTACT CONTACTCONTROLS "
        "CONTACTCONTROLSASSIGNMENT CONTACTDAMPING CONTACTEXCLUSIONS "
        "CONTACTFORMULATION CONTACTINCLUSIONS CONTACTINITIALIZATIONASSIGNMENT "
        "CONTACTINITIALIZATIONDATA CONTACTPAIR CONTACTPROPERTYASSIGNMENT "
        "CONTACTSTABILIZATION FRICTION GAPCONDUCTANCE GAPHEATGENERATION "
        "GAPRADIATION SURFACEBEHAVIOR SURFACEINTERACTION "
        "SURFACEPROPERTYASSIGNMENT");
      std::set<std::string> result;
      for (std::string name; list >> name;)
        result.insert(name);
      return result;
    }();
    return names.count(keyword) > 0;
  }

  /// Returns the element types of Abaqus by name: the cell and, for cells of
  /// order 2, the number of nodes that follow its corners.
  inline const std::map<std::string, std::pair<CellType, int>> &
  abaqus_types()
  {
    static const auto types = []() {
      std::map<std::string, std::pair<CellType, int>> result;
      const auto add = [&result](const CellType type, const int n_middle,
                                 const char *const names) {
        std::istringstream list(names);
        for (std::string name; list >> name;)
          result[name] = {type, n_middle};
      };
      add(CellType::line, 0, "T2D2 T3D2 B21 B31");
      add(CellType::line, 1, "T2D3 T3D3 B22 B32");
      add(CellType::triangle, 0, "CPS3 CPE3 CAX3 S3 S3R STRI3 M3D3 DC2D3");
      add(CellType::triangle, 3,
          "CPS6 CPS6M CPE6 CPE6M CAX6 CAX6M STRI65 M3D6 DC2D6");
      add(CellType::quadrilateral, 0,
          "CPS4 CPS4R CPE4 CPE4R CAX4 CAX4R S4 S4R M3D4 DC2D4");
      add(CellType::quadrilateral, 4,
          "CPS8 CPS8R CPE8 CPE8R CAX8 CAX8R S8R M3D8 DC2D8");
      add(CellType::quadrilateral, 5, "M3D9 S9R5");
      add(CellType::tetrahedron, 0, "C3D4 DC3D4");
      add(CellType::tetrahedron, 6, "C3D10 C3D10M C3D10HS DC3D10");
      add(CellType::hexahedron, 0, "C3D8 C3D8R C3D8I DC3D8");
      add(CellType::hexahedron, 12, "C3D20 C3D20R DC3D20");
      add(CellType::hexahedron, 19, "C3D27 C3D27R");
      return result;
    }();
    return types;
  }
} // namespace tessera::mesh_files
