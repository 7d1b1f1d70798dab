//! `lookalike index` and `lookalike query`: what is stored, what is found, and what is refused.

mod answers;
mod changes;
mod faults;
mod inputs;
mod scene;
mod stored;
mod wrong_use;
