//! `#[derive(Params)]` and `#[derive(Choice)]`.
//!
//! A parameter is declared once, on its field. What the declaration lacks does
//! not compile: every parameter has a doc comment, a unit that its name ends
//! in, a range and a default. The tables that these derives make drive the
//! manual, the checker, the key of the cache and the editor.

mod choice;
mod params;

use proc_macro::TokenStream;

/// Makes the parameter table of a node from a struct.
///
/// ```text
/// #[derive(Params)]
/// pub struct TalusParams {
///     /// Steepest slope that loose ground keeps.
///     #[param(unit = "deg", default = 33.0, range = 20.0..=60.0)]
///     pub repose_angle_deg: f64,
///     /// Most sweeps before it stops.
///     #[param(unit = "1", default = 500, range = 1..=100_000)]
///     pub sweeps: u32,
///     /// How steep joins flat.
///     #[param(default = Curve::Smooth)]
///     pub curve: Curve,
/// }
/// ```
///
/// Fields are `f64`, `u32`, `bool`, `[f64; 2]`, `Option` of a number or pair
/// (default `none`, decided by the node), `Asset` (a file, no default), or an
/// enum with `#[derive(Choice)]` (its options are its range and need no unit).
/// A unit is `"1"` for a pure number; any other is the end of the name:
/// `unit = "deg"` wants `_deg`, `unit = "per km2"` wants `_per_km2`.
#[proc_macro_derive(Params, attributes(param))]
pub fn derive_params(input: TokenStream) -> TokenStream {
    params::expand(syn::parse_macro_input!(input as syn::DeriveInput))
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// Makes the options of a choice from an enum without fields. Every variant
/// has a doc comment; its name is the spelling in the graph.
#[proc_macro_derive(Choice)]
pub fn derive_choice(input: TokenStream) -> TokenStream {
    choice::expand(&syn::parse_macro_input!(input as syn::DeriveInput))
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// The text of the doc comment in `attributes`, its lines joined.
fn doc_of(attributes: &[syn::Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        if let syn::Meta::NameValue(meta) = &attribute.meta
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &meta.value
        {
            lines.push(text.value().trim().to_owned());
        }
    }
    lines.join(" ").trim().to_owned()
}
