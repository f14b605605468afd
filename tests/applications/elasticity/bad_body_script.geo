// The semicolon of line 3 is missing.
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0}
Line(1) = {1, 2};
