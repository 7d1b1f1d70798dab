"""What `benches/peers/strings` is made of."""
