"""What every other part stands on: error kinds, codes and provenance; no input or output."""
