"""What the commands say on a terminal, and while they run."""
