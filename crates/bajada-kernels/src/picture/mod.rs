//! Pictures of terrain, made of nothing but + - * / and square roots.
