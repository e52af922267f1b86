/*
 * The blocked matrix product of SYCL Specialization Constant, "Specialization Constant Overview":
 * the work-items of a group load a block of each matrix into local memory, and multiply the blocks
 * there. The caller decides how the kernel gets the size of a block.
 */
#ifndef SPECPI_EXAMPLES_MULTIPLY_HPP
#define SPECPI_EXAMPLES_MULTIPLY_HPP

#include <sycl/sycl.hpp>

using matrix = sycl::buffer<float, 1>;

/*
 * Submits the command MC = MA * MB, for square matrices of matSize rows. Blocks have block rows,
 * which divides matSize, and a work-item for each element. getBlockSize(handler) returns the object
 * that the kernel captures: a number, or an object that converts to one.
 */
template <class Name, class GetBlockSize>
sycl::event mat_multiply(sycl::queue &q, matrix &MA, matrix &MB, matrix &MC, int matSize, int block,
                         const GetBlockSize &getBlockSize) {
  using namespace sycl;
  return q.submit([&](handler &cgh) {
    auto pA = MA.get_access<access::mode::read>(cgh);
    auto pB = MB.get_access<access::mode::read>(cgh);
    auto pC = MC.get_access<access::mode::write>(cgh);
    const auto rows = static_cast<std::size_t>(matSize);
    const auto blockRows = static_cast<std::size_t>(block);
    auto localRange = range<1>(blockRows * blockRows);
    accessor<float, 1, access::mode::read_write, access::target::local> pBA(localRange, cgh);
    accessor<float, 1, access::mode::read_write, access::target::local> pBB(localRange, cgh);
    auto given = getBlockSize(cgh);

    cgh.parallel_for<Name>(
        nd_range<2>{range<2>(rows, rows), range<2>(blockRows, blockRows)}, [=](nd_item<2> it) {
          const int blockSize = static_cast<int>(given);
          // Current block; work-items that are neighbours in dimension 1 run side by side
          const int blockX = static_cast<int>(it.get_group(1));
          const int blockY = static_cast<int>(it.get_group(0));
          // Current local item
          const int localX = static_cast<int>(it.get_local_id(1));
          const int localY = static_cast<int>(it.get_local_id(0));
          // The row of blocks in A, and the column of blocks in B
          const int aStart = matSize * blockSize * blockY;
          const int aEnd = aStart + matSize - 1;
          const int bStart = blockSize * blockX;
          float sum = 0;
          for (int a = aStart, b = bStart; a <= aEnd; a += blockSize, b += blockSize * matSize) {
            pBA[localY * blockSize + localX] = pA[a + matSize * localY + localX];
            pBB[localY * blockSize + localX] = pB[b + matSize * localY + localX];
            it.barrier(access::fence_space::local_space);
            for (int k = 0; k < blockSize; k++)
              sum += pBA[localY * blockSize + k] * pBB[k * blockSize + localX];
            // All work-items have read the block before the next one is loaded
            it.barrier(access::fence_space::local_space);
          }
          pC[it.get_global_id(0) * it.get_global_range(1) + it.get_global_id(1)] = sum;
        });
  });
}

#endif
