"""What `benches/peers/files` is made of."""
