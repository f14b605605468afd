// A cube with cells of order 3.
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Mesh.ElementOrder = 3;
