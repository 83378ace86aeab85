"""What is measured for one paper alone, a folder a paper; the library below never imports it."""
