//! What a surface is like at each sample: gradient, slope, curvature.
