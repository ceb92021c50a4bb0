//! The one bit trick that several files share.

/// The index of the set bit that has `skip` set bits below it. Its result is below 64 whenever `skip` is below the
/// number of set bits; otherwise it is 64.
///
/// Clears the lower bits: sets here are mostly small, and `pdep`, the one-instruction answer, takes hundreds of cycles
/// on several CPUs that have it. How many bits to clear is random, so that a loop would cost a branch mispredicted at
/// every choice; the sets with up to seven bits cleared are all made instead, and one is chosen.
#[inline]
pub(crate) fn nth_set(mut bits: u64, mut skip: u32) -> u32 {
    while skip >= 8 {
        bits = clear_lowest(clear_lowest(clear_lowest(clear_lowest(bits))));
        skip -= 4;
    }
    let mut cleared = [bits; 8];
    for place in 1..8 {
        cleared[place] = clear_lowest(cleared[place - 1]);
    }
    cleared[(skip & 7) as usize].trailing_zeros()
}

#[inline]
fn clear_lowest(bits: u64) -> u64 {
    bits & bits.wrapping_sub(1)
}
