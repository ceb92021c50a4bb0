//! The one bit trick that several files share.

/// The index of the set bit that has `skip` set bits below it. Its result is below 64 whenever `skip` is below the
/// number of set bits; otherwise it is 64.
///
/// Clears the lower bits one by one: sets here are mostly small, and `pdep`, the one-instruction answer, takes
/// hundreds of cycles on several CPUs that have it.
#[inline]
pub(crate) fn nth_set(mut bits: u64, skip: u32) -> u32 {
    for _ in 0..skip {
        bits &= bits.wrapping_sub(1);
    }
    bits.trailing_zeros()
}
