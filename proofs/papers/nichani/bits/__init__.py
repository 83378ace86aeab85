"""The proofs of Section 6 and Appendix E: what facts cost in bits."""
