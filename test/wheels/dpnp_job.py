"""dpnp_job.py DEVICE SCRATCH: compares dpnp with oneMKL to NumPy; where oneMKL refuses NVIDIA, checks its message."""
import dpctl
import numpy

import dpnp
from checks import IS_FAKE, finish, refused, right

IS_2026 = dpctl.__version__ >= "0.22"
SINGLE, DOUBLE = 1e-5, 1e-12
NO_ARCHITECTURE = "mkl_gpu_get_architecture: unknown GPU architecture"

random = numpy.random.default_rng(1)
give = dpnp.asarray
take = dpnp.asnumpy
queue = give([0]).sycl_queue
assert queue.sycl_device.is_gpu and "CUDA" in queue.sycl_device.sycl_platform.name, queue.sycl_device


def matrix(*shape, dtype="f4"):
    return random.standard_normal(shape).astype(dtype)


def of_2025(name, compute, expected, tolerance=SINGLE):
    """Checks a product with a vector, which oneMKL of 2025 computes and oneMKL of 2026 refuses."""
    if IS_2026:
        refused(name, compute, NO_ARCHITECTURE)
    else:
        right(name, compute, expected, tolerance)


for dtype, tolerance in (("f4", SINGLE), ("f8", DOUBLE), ("c8", SINGLE), ("c16", DOUBLE)):
    for m, k, n in ((1, 64, 64), (17, 33, 9), (64, 64, 64)):
        a, b = matrix(m, k, dtype=dtype), matrix(k, n, dtype=dtype)
        compute = of_2025 if m == 1 else right
        compute(f"matmul {dtype} {m}x{k}x{n}", lambda: take(dpnp.matmul(give(a), give(b))), a @ b, tolerance)
a, b = matrix(3, 16, 24), matrix(3, 24, 8)
right("matmul of three pairs", lambda: take(dpnp.matmul(give(a), give(b))), a @ b, SINGLE)

# Well-conditioned matrices: a definite one, and one that is far from singular.
square = matrix(12, 12)
definite = square @ square.T + 12 * numpy.eye(12, dtype="f4")
vector = matrix(12)
right("dot", lambda: take(dpnp.dot(give(vector), give(vector))), vector @ vector, SINGLE)


of_2025("matrix by vector", lambda: take(dpnp.matmul(give(square), give(vector))), square @ vector)

linalg = dpnp.linalg
exact = numpy.linalg
right("solve", lambda: take(linalg.solve(give(definite), give(vector))), exact.solve(definite, vector), SINGLE)
right("inv", lambda: take(linalg.inv(give(definite))), exact.inv(definite), SINGLE)
right("det", lambda: take(linalg.det(give(definite))) / exact.det(definite), 1, SINGLE)
right("eigvalsh", lambda: take(linalg.eigvalsh(give(definite))), exact.eigvalsh(definite), SINGLE)
right("svd", lambda: take(linalg.svd(give(square), compute_uv=False)), exact.svd(square)[1], SINGLE)


def composed():
    u, s, vh = (take(one) for one in linalg.svd(give(square)))
    return (u * s) @ vh


right("svd with vectors", composed, square, SINGLE)


def q_by_r():
    q, r = (take(one) for one in linalg.qr(give(square)))
    return q @ r


right("qr", q_by_r, square, SINGLE)
if IS_2026:
    refused("cholesky", lambda: linalg.cholesky(give(definite)), NO_ARCHITECTURE)
elif not IS_FAKE:
    right("cholesky", lambda: take(linalg.cholesky(give(definite))), exact.cholesky(definite), SINGLE)

if IS_2026:
    # oneMKL sums over only those items of a sub-group that have rows of the matrices.
    pair = matrix(2, 4, 4) + 8 * numpy.eye(4, dtype="f4")
    sides = matrix(2, 4, 3)

    def solve_pair():
        factors = dpnp.scipy.linalg.lu_factor(give(pair))
        return take(dpnp.scipy.linalg.lu_solve(factors, give(sides), trans=1))

    right("lu_solve of a pair, transposed", solve_pair, exact.solve(pair.swapaxes(1, 2), sides), SINGLE)

    # oneMKL's work-groups are too large for the registers of the kernel's first build.
    six = (pair[:, None] + 1j * matrix(2, 3, 4, 4)).astype("c16")
    six_sides = (matrix(2, 3, 4, 2) + 1j * matrix(2, 3, 4, 2)).astype("c8")

    def solve_six():
        return take(dpnp.scipy.linalg.lu_solve(dpnp.scipy.linalg.lu_factor(give(six)), give(six_sides)))

    right("lu_solve of six, complex", solve_six, exact.solve(six, six_sides), SINGLE)

# oneMKL compiles its transforms with an OpenCL driver for Intel's GPUs.
refused("fft", lambda: dpnp.fft.fft(give(square)), NO_ARCHITECTURE if IS_2026 else "OpenCL error -1")

# dpnp's generator on GPUs is MCG59: x becomes 13^13 x mod 2^59.
states = [7]
while len(states) < 1000:
    states.append(states[-1] * 13**13 % 2**59)
expected = numpy.array(states) / 2.0**59
right("random", lambda: take(dpnp.random.RandomState(7, sycl_queue=queue).random_sample(1000)), expected, 1e-15)
normal = take(dpnp.random.RandomState(7, sycl_queue=queue).standard_normal(4000))
right("random, normal: mean and deviation", lambda: [normal.mean(), normal.std()], [0, 1], 0.08)
right("sin", lambda: take(dpnp.sin(give(square))), numpy.sin(square), SINGLE)
right("sort", lambda: take(dpnp.sort(give(vector))), numpy.sort(vector))
finish("dpnp", "onemkl-sycl-blas")
