// A triangle without groups and sizes.
Point(1) = {0, 0, 0};
Point(2) = {3, 0, 0};
Point(3) = {0, 4, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 1};
Curve Loop(1) = {1, 2, 3};
Plane Surface(5) = {1};
