"""open3d-xpu_job.py DEVICE SCRATCH: tensors and point clouds of Open3D on the GPU against those on the CPU."""
import numpy
import open3d
from open3d import core

from checks import finish, right

GPU, CPU = core.Device("SYCL:0"), core.Device("CPU:0")
assert GPU in core.sycl.get_available_devices()
random = numpy.random.default_rng(4)
a, b = (random.standard_normal((8, 8)).astype("f4") for _ in range(2))
points = random.standard_normal((200, 3)).astype("f4")


def compared(name, compute, tolerance=1e-5):
    """Compares a function's results on the GPU and on the CPU."""
    right(name, lambda: compute(GPU).cpu().numpy(), compute(CPU).numpy(), tolerance)


def tensor(values, device):
    return core.Tensor(values, device=device)


def cloud(device):
    return open3d.t.geometry.PointCloud(tensor(points, device))


compared("addition", lambda at: tensor(a, at) + tensor(b, at))
compared("sine", lambda at: tensor(a, at).sin())
compared("sum of rows", lambda at: tensor(a, at).sum(1))
compared("indices", lambda at: tensor(a, at)[tensor(numpy.array([1, 3, 5]), at)])
compared("product", lambda at: tensor(a, at) @ tensor(b, at))
compared("solve", lambda at: tensor(a, at).solve(tensor(b, at)), 1e-4)
compared("inverse", lambda at: tensor(a, at).inv(), 1e-4)
compared("singular values", lambda at: tensor(a, at).svd()[1])
compared("LU", lambda at: tensor(a, at).lu()[0])
compared("points, transformed", lambda at: cloud(at).transform(core.Tensor(numpy.eye(4) * 2)).point.positions)


def nearest(at):
    search = core.nns.NearestNeighborSearch(tensor(points, at))
    search.knn_index()
    return search.knn_search(tensor(points[:10], at), 3)[1]


compared("distances of nearest neighbours", nearest)


def normals(at):
    estimated = cloud(at)
    estimated.estimate_normals(max_nn=30)
    return estimated.point.normals


# Open3D's work-groups are too large for the registers of the kernel's first build.
compared("normals", normals)
finish("open3d-xpu")
