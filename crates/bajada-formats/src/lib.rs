//! Codecs between bytes and rasters or pictures.
