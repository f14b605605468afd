#pragma once

/// The headers of the models in `cell_models.def`.
#include "aliev_panfilov.h"
#include "fitzhugh_nagumo.h"
#include "ten_tusscher_panfilov.h"
