//! What running water carves and lays down.
