//! The numbers to type into a game engine's import dialog.

use bajada_grid::Domain;
use serde::{Deserialize, Serialize};

/// What Unreal's landscape import asks for.
///
/// A code `v` becomes the height `location_z_cm + (v - 32768) / 128 * scale_z`
/// in centimetres, so 0 is `z_min` and 65,535 is `z_max` exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnrealNumbers {
    /// Scale X: centimetres between samples to the east.
    pub scale_x: f64,
    /// Scale Y: centimetres between samples to the south.
    pub scale_y: f64,
    /// Scale Z that puts 65,535 at `z_max` exactly: `range_cm * 128 / 65535`.
    pub scale_z: f64,
    /// Scale Z by Epic's formula `range_cm / 512`, one part in 65,536 too low
    /// for data that use the full range.
    pub scale_z_by_epic: f64,
    /// Location Z of the landscape, cm.
    pub location_z_cm: f64,
    /// Whether a landscape can have these samples: components times quads of a
    /// component, plus one, on both sides, with at most 1,024 components.
    pub size_is_legal: bool,
    /// Whether both sides are the same of the sizes that Epic recommends.
    pub size_is_recommended: bool,
    /// The nearest samples that a landscape can have.
    pub nearest_legal_size: [u32; 2],
    /// The nearest of the sizes that Epic recommends.
    pub nearest_recommended_size: u32,
}

/// What Unity's terrain import asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnityNumbers {
    /// Terrain width, m.
    pub terrain_width: f64,
    /// Terrain length, m.
    pub terrain_length: f64,
    /// Terrain height, m: from code 0 to 65,535.
    pub terrain_height: f64,
    /// Height of the terrain object's position, m: where code 0 lies.
    pub position_y: f64,
    /// Bits of a code.
    pub depth: u32,
    /// Byte order, as the dialog calls it.
    pub byte_order: String,
    /// Whether to tick "Flip Vertically": rows run from north to south here and
    /// from south to north there.
    pub flip_vertically: bool,
    /// Whether `heightmapResolution` takes these samples: a square of 2^n + 1
    /// from 33 to 4,097.
    pub size_is_legal: bool,
    /// The nearest `heightmapResolution`.
    pub nearest_legal_size: u32,
}

/// Sizes in Epic's table of recommended landscapes.
const EPIC_SIZES: [u32; 7] = [127, 253, 505, 1009, 2017, 4033, 8129];

/// Quads along a component: a section of 2^k - 1 up to 255, once or twice.
const COMPONENT_QUADS: [u32; 12] = [7, 14, 15, 30, 31, 62, 63, 126, 127, 254, 255, 510];

/// Components along a side such that a square has at most 1,024.
const MAX_COMPONENTS: u32 = 32;

const UNITY_SIZES: [u32; 8] = [33, 65, 129, 257, 513, 1025, 2049, 4097];

/// Numbers for a raster of 16-bit codes from `z_range_m[0]` to `z_range_m[1]`.
pub(crate) fn unreal(domain: &Domain, z_range_m: [f64; 2]) -> UnrealNumbers {
    let range_cm = 100.0 * (z_range_m[1] - z_range_m[0]);
    let scale_z = range_cm * 128.0 / 65535.0;
    let samples = domain.samples();
    let nearest = nearest_landscape(samples);
    // 100 * extent / (samples - 1), without dividing what was multiplied.
    let scale = 100.0 * domain.cell_size();
    UnrealNumbers {
        scale_x: scale,
        scale_y: scale,
        scale_z,
        scale_z_by_epic: range_cm / 512.0,
        location_z_cm: 100.0 * z_range_m[0] + 256.0 * scale_z,
        size_is_legal: nearest == samples,
        size_is_recommended: samples[0] == samples[1] && EPIC_SIZES.contains(&samples[0]),
        nearest_legal_size: nearest,
        nearest_recommended_size: nearest_of(&EPIC_SIZES, samples[0].max(samples[1])),
    }
}

/// Numbers for an r16 of codes from `z_range_m[0]` to `z_range_m[1]`.
pub(crate) fn unity(domain: &Domain, z_range_m: [f64; 2]) -> UnityNumbers {
    let [width, height] = domain.samples();
    let [east, south] = domain.extent();
    UnityNumbers {
        terrain_width: east,
        terrain_length: south,
        terrain_height: z_range_m[1] - z_range_m[0],
        position_y: z_range_m[0],
        depth: 16,
        byte_order: "Windows".to_owned(),
        flip_vertically: true,
        size_is_legal: width == height && UNITY_SIZES.contains(&width),
        nearest_legal_size: nearest_of(&UNITY_SIZES, width.max(height)),
    }
}

/// The samples of the landscape that differs least, summed over both sides;
/// the smaller component wins a tie.
fn nearest_landscape(samples: [u32; 2]) -> [u32; 2] {
    let nearest_side = |quads: u32, side: u32| {
        let components = (side.saturating_sub(1) + quads / 2) / quads;
        components.clamp(1, MAX_COMPONENTS) * quads + 1
    };
    let sizes = COMPONENT_QUADS.map(|quads| samples.map(|side| nearest_side(quads, side)));
    let distance =
        |size: &[u32; 2]| samples[0].abs_diff(size[0]) as u64 + samples[1].abs_diff(size[1]) as u64;
    sizes.into_iter().min_by_key(distance).unwrap_or(samples)
}

fn nearest_of(sizes: &[u32], side: u32) -> u32 {
    sizes.iter().copied().min_by_key(|size| size.abs_diff(side)).unwrap_or(side)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(width: u32, height: u32, cell_size: f64) -> Domain {
        Domain::new(width, height, cell_size, [0.0; 2]).expect("legal")
    }

    #[test]
    fn all_of_epics_sizes_are_legal_and_no_power_of_two_plus_one_is() {
        for side in EPIC_SIZES {
            let numbers = unreal(&domain(side, side, 1.0), [0.0, 1.0]);
            assert!(numbers.size_is_legal && numbers.size_is_recommended, "{side}");
        }
        for side in [513, 1025, 2049, 4097] {
            let numbers = unreal(&domain(side, side, 1.0), [0.0, 1.0]);
            assert!(!numbers.size_is_legal && !numbers.size_is_recommended, "{side}");
        }
        assert_eq!(nearest_landscape([1025, 1025]), [1021, 1021]);
        assert_eq!(unreal(&domain(1025, 1025, 1.0), [0.0, 1.0]).nearest_recommended_size, 1009);
    }

    #[test]
    fn sides_of_different_components_make_no_landscape() {
        // 1,009 = 16 * 63 + 1 and 1,017 = 8 * 127 + 1 share no component.
        assert!(!unreal(&domain(1009, 1017, 1.0), [0.0, 1.0]).size_is_legal);
        assert!(unreal(&domain(1009, 505, 1.0), [0.0, 1.0]).size_is_legal);
    }

    #[test]
    fn epics_example_of_a_kilometre_scales_by_99_2063() {
        let numbers = unreal(&domain(1009, 1009, 1000.0 / 1008.0), [0.0, 512.0]);
        assert!((numbers.scale_x - 99.2063).abs() < 1e-4, "{}", numbers.scale_x);
        assert_eq!(numbers.scale_z_by_epic, 100.0);
    }

    #[test]
    fn unreals_formula_gives_both_ends_of_the_range_back() {
        for range in [[0.0, 512.0], [-430.5, 8611.0], [315.0, 2295.0]] {
            let numbers = unreal(&domain(505, 505, 2.0), range);
            let height_cm =
                |code: f64| numbers.location_z_cm + (code - 32768.0) / 128.0 * numbers.scale_z;
            assert!((height_cm(0.0) - 100.0 * range[0]).abs() < 1e-6);
            assert!((height_cm(65535.0) - 100.0 * range[1]).abs() < 1e-6);
        }
    }

    #[test]
    fn unity_takes_a_square_of_a_power_of_two_plus_one() {
        assert!(unity(&domain(513, 513, 1.0), [0.0, 1.0]).size_is_legal);
        for (width, height) in [(512, 512), (513, 257), (8193, 8193)] {
            assert!(!unity(&domain(width, height, 1.0), [0.0, 1.0]).size_is_legal);
        }
        assert_eq!(nearest_of(&UNITY_SIZES, 1009), 1025);
    }
}
