"""What the claims of *Understanding Factual Recall in Transformers via Associative Memories* measure."""
