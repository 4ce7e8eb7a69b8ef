"""The contract, proven: one test or more per line of `docs/contract.md`."""
