"""What every other part stands on: error kinds and deprecations; no input or output."""
