//! Vectors: what is found is what the plain definition says, from every format; odd vectors are right or refused.

mod answers;
mod faults;
mod files;
mod oracle;
