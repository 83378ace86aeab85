"""What a run says, for people and for machines; nothing here decides a verdict."""
