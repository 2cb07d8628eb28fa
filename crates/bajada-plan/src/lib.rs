//! Checks a document against a registry and makes the plan.
