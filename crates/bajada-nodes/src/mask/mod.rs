//! Nodes that say where.

pub mod elevation_mask;
pub mod slope_mask;

use bajada_node::Complaint;

/// Complains of a band that is upside down.
pub(crate) fn rising(about: &'static str, [low, high]: [f64; 2]) -> Result<(), Complaint> {
    if low <= high {
        return Ok(());
    }
    Err(Complaint {
        about,
        message: format!("`{about}` runs from {low} down to {high}"),
        hint: Some(format!("write `{about}: ({high}, {low})`")),
    })
}
