//! What slides: loose ground comes to rest at its angle of repose.

pub mod talus;
