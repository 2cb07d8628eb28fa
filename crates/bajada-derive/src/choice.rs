//! `#[derive(Choice)]`: an enum as the options of a parameter.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a choice is an enum"));
    };
    let mut options = Vec::new();
    let mut variants = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new_spanned(variant, "an option has no fields"));
        }
        let doc = crate::doc_of(&variant.attrs);
        if doc.is_empty() {
            return Err(Error::new_spanned(variant, "an option needs a doc comment"));
        }
        let name = variant.ident.to_string();
        options.push(quote! { ::bajada_node::ChoiceOption { name: #name, doc: #doc } });
        variants.push(&variant.ident);
    }
    let ident = &input.ident;
    let indices = 0..variants.len();
    Ok(quote! {
        impl ::bajada_node::Choice for #ident {
            const OPTIONS: &'static [::bajada_node::ChoiceOption] = &[#(#options),*];
            fn from_index(index: usize) -> Self {
                [#(Self::#variants),*]
                    .into_iter()
                    .nth(index)
                    .expect("the checker lets only declared options through")
            }
        }
        impl #ident {
            /// Place in `OPTIONS`.
            #[doc(hidden)]
            pub const fn option_index(&self) -> usize {
                match self { #(Self::#variants => #indices),* }
            }
        }
    })
}
