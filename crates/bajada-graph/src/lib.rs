//! The graph document: text in, every byte kept, diagnostics out.
