//! Why a node gave no values.

use bajada_grid::Cancelled;
use thiserror::Error;

/// Why a node gave no values. Variants by who must act.
#[derive(Debug, Error)]
pub enum NodeError {
    /// Someone pressed stop.
    #[error("cancelled")]
    Cancelled,
    /// The user: an input or a file cannot be used as it is.
    #[error("`{about}`: {message}")]
    Unusable {
        /// The parameter or input.
        about: &'static str,
        /// Why, and the way out.
        message: String,
    },
    /// The node's author: it broke its own promise.
    #[error("a bug in this node: {0}")]
    Broken(String),
}

impl From<Cancelled> for NodeError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
