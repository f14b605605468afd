// The unit cube in two halves of different material, of hexahedra whose layers
// lean as one goes along.
// gmsh -3 -format msh41 two_materials.geo -o two_materials.msh
Point(1) = {0, 0, 0};
Point(2) = {0.5, 0, 0};
Point(3) = {1, 0, 0};
Point(4) = {0, 1, 0};
Point(5) = {0.5, 1, 0};
Point(6) = {1, 1, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 5};
Line(4) = {5, 6};
Line(5) = {1, 4};
Line(6) = {2, 5};
Line(7) = {3, 6};
Curve Loop(1) = {1, 6, -3, -5};
Curve Loop(2) = {2, 7, -4, -6};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Transfinite Curve{1, 3} = 3 Using Progression 1.2;
Transfinite Curve{2, 4} = 3;
Transfinite Curve{5} = 4 Using Progression 1.3;
Transfinite Curve{6} = 4;
Transfinite Curve{7} = 4 Using Progression 0.8;
Transfinite Surface{1, 2};
Recombine Surface{1, 2};
left[] = Extrude {0, 0, 1} { Surface{1}; Layers{3}; Recombine; };
right[] = Extrude {0, 0, 1} { Surface{2}; Layers{3}; Recombine; };

// Of an extrusion: top, volume, then the sides in the order of the loop.
Physical Surface("cold", 1) = {1, 2, left[0], right[0], left[2], left[4], left[5],
                               right[2], right[4]};
Physical Surface("hot", 2) = {right[3]};
Physical Volume("ceramic", 1) = {left[1]};
Physical Volume("steel", 2) = {right[1]};
Mesh.SaveAll = 0;
