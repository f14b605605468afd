// A quarter of a thick elliptic plate with an elliptic hole: D and C lie on the
// x axis, A and B on the y axis, at the height 0.6. There are n cells along the
// hole, m across and 2 k through the thickness. They are curved, and smaller
// towards D, where the stress is wanted.
n = 8;
m = 6;
k = 3;
Mesh.ElementOrder = 2;

Point(1) = {0, 0, 0};    // below the centre
Point(2) = {2, 0, 0};    // below D
Point(3) = {3.25, 0, 0}; // below C
Point(4) = {0, 2.75, 0}; // below B
Point(5) = {0, 1, 0};    // below A
Line(1) = {2, 3};
Ellipse(2) = {3, 1, 3, 4};
Line(3) = {4, 5};
Ellipse(4) = {5, 1, 2, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

Transfinite Curve {1, -3} = m + 1 Using Progression 1.1;
Transfinite Curve {2, -4} = n + 1 Using Progression 1.1;
Transfinite Surface {1};
Recombine Surface {1};
lower[] = Extrude {0, 0, 0.3} { Surface{1}; Layers{k}; Recombine; };
upper[] = Extrude {0, 0, 0.3} { Surface{lower[0]}; Layers{k}; Recombine; };
edges[] = Boundary{ Surface{lower[0]}; }; // of the plane in the middle

Physical Curve("middle of the outside", 1) = {edges[1]};
Physical Surface("on_x_axis", 1) = {lower[2], upper[2]};
Physical Surface("outside", 2) = {lower[3], upper[3]};
Physical Surface("on_y_axis", 3) = {lower[4], upper[4]};
Physical Surface("top", 4) = {upper[0]};
Physical Volume("steel", 1) = {lower[1], upper[1]};
