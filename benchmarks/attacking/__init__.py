"""The attacks of benchmarks/attacks."""
