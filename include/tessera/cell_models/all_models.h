#pragma once

/// The headers of the models in `cell_models.def`.
#include <tessera/cell_models/aliev_panfilov.h>
#include <tessera/cell_models/fitzhugh_nagumo.h>
#include <tessera/cell_models/ten_tusscher_panfilov.h>
