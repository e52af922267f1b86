"""daal_job.py DEVICE SCRATCH: algorithms of oneDAL on the GPU, without falling back to the CPU, compared with the
CPU's results; those for which oneMKL needs the model of an Intel GPU are refused."""
import dpctl
import numpy
from sklearnex import config_context
from sklearnex.basic_statistics import BasicStatistics
from sklearnex.cluster import DBSCAN, KMeans
from sklearnex.decomposition import PCA
from sklearnex.linear_model import LinearRegression, LogisticRegression
from sklearnex.svm import SVC

from checks import finish, refused, right

assert "CUDA" in dpctl.SyclDevice("gpu").sycl_platform.name
random = numpy.random.default_rng(3)
data = random.standard_normal((48, 4)).astype("f4")
data[:16] += 4
data[16:32] -= 4
classes = (data[:, 0] > 0).astype("i4")


def on_gpu(compute):
    with config_context(target_offload="gpu", allow_fallback_to_host=False):
        return compute()


def compared(name, compute, tolerance=1e-4):
    right(name, lambda: on_gpu(compute), compute(), tolerance)


# oneMKL refuses its first call for a product, and some functions in each call.
NO_ARCHITECTURE = "mkl_gpu_get_architecture: unknown GPU architecture"
refused("linear regression", lambda: on_gpu(lambda: LinearRegression().fit(data, data[:, 0])), NO_ARCHITECTURE)
logistic = LogisticRegression(solver="newton-cg")
refused("logistic regression", lambda: on_gpu(lambda: logistic.fit(data, classes)), NO_ARCHITECTURE)
for result in ("mean", "max", "variance", "sum"):
    compared(f"statistics, {result}", lambda: getattr(BasicStatistics(result_options=[result]).fit(data), f"{result}_"))
compared("components", lambda: abs(PCA(2, svd_solver="covariance_eigh").fit(data).components_))
compared("k-means, centers", lambda: KMeans(3, init=data[[0, 16, 32]], n_init=1).fit(data).cluster_centers_)
compared("k-means, labels", lambda: KMeans(3, init=data[[0, 16, 32]], n_init=1).fit(data).labels_)
compared("support vectors", lambda: SVC(kernel="linear").fit(data, classes).predict(data))
compared("clusters by density", lambda: DBSCAN(eps=1.5).fit(data).labels_)
finish("daal", "scikit-learn-intelex")
