"""What one paper alone needs, a folder a paper; the library below never imports it."""
