"""The proofs of Section 5 and Appendix D: how facts are learned."""
