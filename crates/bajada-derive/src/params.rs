//! `#[derive(Params)]`: a struct as the parameter table of a node.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Error, Expr, Field, Fields, LitStr, Result, Type};

/// Ends of names that say a unit: a pure number must not carry one.
const UNIT_SUFFIXES: [&str; 12] = [
    "_m", "_m2", "_m3", "_deg", "_s", "_yr", "_km", "_km2", "_per_m", "_per_km2", "_per_yr",
    "_per_s",
];

#[derive(Default)]
struct Declaration {
    unit: Option<LitStr>,
    default: Option<Expr>,
    range: Option<Expr>,
}

pub(crate) fn expand(input: DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "parameters are a struct"));
    };
    let fields = match &data.fields {
        Fields::Named(fields) => fields.named.iter().collect(),
        Fields::Unit => Vec::new(),
        Fields::Unnamed(_) => {
            return Err(Error::new_spanned(&input.ident, "parameters have names"));
        }
    };
    let specs = fields.iter().map(|field| spec(field)).collect::<Result<Vec<_>>>()?;
    let names: Vec<_> = fields.iter().map(|field| &field.ident).collect();
    let indices = 0..fields.len();
    let ident = &input.ident;
    Ok(quote! {
        impl ::bajada_node::Params for #ident {
            const SPECS: &'static [::bajada_node::ParamSpec] = &[#(#specs),*];
            fn read(values: &[::bajada_node::ParamValue]) -> Self {
                Self { #(#names: ::bajada_node::FromParam::from_param(&values[#indices])),* }
            }
        }
    })
}

fn spec(field: &Field) -> Result<TokenStream> {
    let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
    let doc = crate::doc_of(&field.attrs);
    if doc.is_empty() {
        return Err(Error::new_spanned(field, format!("parameter `{name}` needs a doc comment")));
    }
    let declaration = declaration(field)?;
    let (kind, default, unit) = match type_name(&field.ty).as_str() {
        "f64" => number(field, &name, &declaration, "Number", Presence::Required)?,
        "u32" => number(field, &name, &declaration, "Integer", Presence::Required)?,
        "[f64;2]" => number(field, &name, &declaration, "Pair", Presence::Required)?,
        "Option<f64>" => number(field, &name, &declaration, "Number", Presence::Optional)?,
        "Option<u32>" => number(field, &name, &declaration, "Integer", Presence::Optional)?,
        "Option<[f64;2]>" => number(field, &name, &declaration, "Pair", Presence::Optional)?,
        "Vec<[f64;2]>" => number(field, &name, &declaration, "Points", Presence::Optional)?,
        "bool" => {
            let default = required(field, &name, "default", declaration.default)?;
            let value = quote! { Some(::bajada_node::ParamValue::Flag(#default)) };
            (quote! { ::bajada_node::ParamKind::Flag }, value, String::new())
        }
        "Asset" => (quote! { ::bajada_node::ParamKind::File }, quote! { None }, String::new()),
        _ => {
            let ty = &field.ty;
            let default = required(field, &name, "default", declaration.default)?;
            let kind = quote! {
                ::bajada_node::ParamKind::Choice {
                    options: <#ty as ::bajada_node::Choice>::OPTIONS,
                }
            };
            let value = quote! { Some(::bajada_node::ParamValue::Choice(#default.option_index())) };
            (kind, value, String::new())
        }
    };
    Ok(quote! {
        ::bajada_node::ParamSpec {
            name: #name, doc: #doc, unit: #unit, kind: #kind, default: #default,
        }
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Presence {
    Required,
    Optional,
}

fn number(
    field: &Field,
    name: &str,
    declaration: &Declaration,
    variant: &str,
    presence: Presence,
) -> Result<(TokenStream, TokenStream, String)> {
    let unit = required(field, name, "unit", declaration.unit.clone())?;
    check_suffix(&unit, name)?;
    let range = required(field, name, "range", declaration.range.clone())?;
    let Expr::Range(range) = &range else {
        return Err(Error::new_spanned(range, "a range is written `low..=high`"));
    };
    let (Some(low), Some(high)) = (&range.start, &range.end) else {
        return Err(Error::new_spanned(range, "a range has both ends: `low..=high`"));
    };
    let default = required(field, name, "default", declaration.default.clone())?;
    let is_none = matches!(&default, Expr::Path(path) if path.path.is_ident("none"));
    if is_none != (presence == Presence::Optional) {
        let message = "an Option or a Vec defaults to `none`, any other number to a value";
        return Err(Error::new_spanned(default, message));
    }
    let variant = syn::Ident::new(variant, proc_macro2::Span::call_site());
    let kind = quote! { ::bajada_node::ParamKind::#variant { low: #low, high: #high } };
    let value = if variant == "Points" {
        quote! { Some(::bajada_node::ParamValue::Points(Vec::new())) }
    } else if is_none {
        quote! { Some(::bajada_node::ParamValue::Absent) }
    } else {
        quote! { Some(::bajada_node::ParamValue::#variant(#default)) }
    };
    Ok((kind, value, unit.value()))
}

fn check_suffix(unit: &LitStr, name: &str) -> Result<()> {
    let text = unit.value();
    if text == "1" {
        return match UNIT_SUFFIXES.iter().find(|suffix| name.ends_with(*suffix)) {
            Some(suffix) => Err(Error::new_spanned(
                unit,
                format!("`{name}` is a pure number but its name ends in `{suffix}`"),
            )),
            None => Ok(()),
        };
    }
    let suffix = format!("_{}", text.replace([' ', '/'], "_"));
    if name.ends_with(&suffix) {
        Ok(())
    } else {
        Err(Error::new_spanned(unit, format!("the name of `{name}` must end in `{suffix}`")))
    }
}

fn declaration(field: &Field) -> Result<Declaration> {
    let mut found = Declaration::default();
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("param")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("unit") {
                found.unit = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("default") {
                found.default = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("range") {
                found.range = Some(meta.value()?.parse()?);
            } else {
                return Err(meta.error("a parameter has `unit`, `default` and `range`"));
            }
            Ok(())
        })?;
    }
    Ok(found)
}

fn required<T>(field: &Field, name: &str, what: &str, found: Option<T>) -> Result<T> {
    found.ok_or_else(|| {
        Error::new_spanned(
            field,
            format!("parameter `{name}` lacks a {what}: #[param({what} = …)]"),
        )
    })
}

fn type_name(ty: &Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "")
}

#[cfg(test)]
mod tests {
    fn refusal(field: &str) -> String {
        let text = format!("struct P {{ {field} }}");
        let input = syn::parse_str(&text).expect("the test's struct parses");
        super::expand(input).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_complete_parameter_compiles() {
        let attribute = "#[param(unit = \"m\", default = 1.0, range = 0.0..=9.0)]";
        assert_eq!(refusal(&format!("/// Doc.\n {attribute} width_m: f64")), "");
    }

    #[test]
    fn a_parameter_without_doc_unit_range_or_default_does_not_compile() {
        let cases = [
            (
                "#[param(unit = \"m\", default = 1.0, range = 0.0..=9.0)] width_m: f64",
                "doc comment",
            ),
            ("/// Doc.\n #[param(default = 1.0, range = 0.0..=9.0)] width_m: f64", "lacks a unit"),
            (
                "/// Doc.\n #[param(unit = \"m\", range = 0.0..=9.0)] width_m: f64",
                "lacks a default",
            ),
            ("/// Doc.\n #[param(unit = \"m\", default = 1.0)] width_m: f64", "lacks a range"),
            (
                "/// Doc.\n #[param(unit = \"m\", default = 1.0, range = 0.0..)] width_m: f64",
                "both ends",
            ),
            ("/// Doc.\n kind: Kind", "lacks a default"),
        ];
        for (field, expected) in cases {
            assert!(refusal(field).contains(expected), "{field}: {}", refusal(field));
        }
    }

    #[test]
    fn the_name_says_the_unit_and_a_pure_number_says_none() {
        let with = |unit: &str, name: &str| {
            refusal(&format!(
                "/// Doc.\n #[param(unit = \"{unit}\", default = 1.0, range = 0.0..=9.0)] {name}: f64"
            ))
        };
        assert!(with("deg", "angle").contains("_deg"));
        assert!(with("1", "gain_m").contains("pure number"));
        assert_eq!(with("per km2", "density_per_km2"), "");
        assert_eq!(with("1", "gain"), "");
    }
}
