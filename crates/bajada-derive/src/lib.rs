//! The Params and Choice derives.
