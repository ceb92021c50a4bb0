//! Whether this machine has the instructions that the program was built for.
//!
//! The default build is for x86-64-v3 (most machines since 2013). An older one would stop at the first instruction that
//! it does not know, with no word of explanation; so the first thing that the program does is to look. The processor is
//! asked itself, since what the compiler was told to assume answers every other question with yes.

/// The level that the program was built for, as compilers name it.
#[must_use]
pub(crate) const fn built_for() -> &'static str {
    if cfg!(not(target_arch = "x86_64")) {
        std::env::consts::ARCH
    } else if cfg!(target_feature = "avx512f") {
        "x86-64-v4"
    } else if cfg!(target_feature = "avx2") {
        "x86-64-v3"
    } else if cfg!(target_feature = "sse4.2") {
        "x86-64-v2"
    } else {
        "x86-64"
    }
}

/// What the program was built for and the processor lacks; empty on a machine that can run it.
#[cfg(target_arch = "x86_64")]
#[must_use]
pub(crate) fn missing() -> Vec<&'static str> {
    use std::arch::x86_64::__cpuid_count;
    let leaf = |leaf: u32| {
        let highest = __cpuid_count(leaf & 0x8000_0000, 0).eax;
        (leaf <= highest).then(|| __cpuid_count(leaf, 0))
    };
    let basic = leaf(1).map_or(0, |registers| registers.ecx);
    let extended = leaf(7).map_or(0, |registers| registers.ebx);
    let amd = leaf(0x8000_0001).map_or(0, |registers| registers.ecx);
    missing_from(basic, extended, amd)
}

/// What the program was built for and these registers do not announce: ECX of leaf 1, EBX of leaf 7 and ECX of leaf
/// 0x8000_0001 of the instruction CPUID.
#[cfg(target_arch = "x86_64")]
fn missing_from(basic: u32, extended: u32, amd: u32) -> Vec<&'static str> {
    let features = [
        ("sse3", cfg!(target_feature = "sse3"), basic & 1),
        ("ssse3", cfg!(target_feature = "ssse3"), basic >> 9 & 1),
        ("fma", cfg!(target_feature = "fma"), basic >> 12 & 1),
        ("sse4.1", cfg!(target_feature = "sse4.1"), basic >> 19 & 1),
        ("sse4.2", cfg!(target_feature = "sse4.2"), basic >> 20 & 1),
        ("movbe", cfg!(target_feature = "movbe"), basic >> 22 & 1),
        ("popcnt", cfg!(target_feature = "popcnt"), basic >> 23 & 1),
        // The operating system must save the wide registers too.
        ("avx", cfg!(target_feature = "avx"), basic >> 28 & basic >> 27 & 1),
        ("f16c", cfg!(target_feature = "f16c"), basic >> 29 & 1),
        ("bmi1", cfg!(target_feature = "bmi1"), extended >> 3 & 1),
        ("avx2", cfg!(target_feature = "avx2"), extended >> 5 & 1),
        ("bmi2", cfg!(target_feature = "bmi2"), extended >> 8 & 1),
        ("avx512f", cfg!(target_feature = "avx512f"), extended >> 16 & 1),
        ("lzcnt", cfg!(target_feature = "lzcnt"), amd >> 5 & 1),
    ];
    features.iter().filter(|(_, built_in, has)| *built_in && *has == 0).map(|(name, ..)| *name).collect()
}

/// Other processors are built for as they are.
#[cfg(not(target_arch = "x86_64"))]
#[must_use]
pub(crate) fn missing() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_machine_that_runs_the_tests_has_what_they_were_built_for() {
        assert_eq!(super::missing(), Vec::<&str>::new());
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    #[test]
    fn a_processor_without_wide_registers_is_told_so() {
        assert_eq!(super::missing_from(!0, !(1 << 5), !0), ["avx2"]);
        // The processor has them, but the operating system does not keep them.
        assert_eq!(super::missing_from(!(1 << 27), !0, !0), ["avx"]);
    }
}
