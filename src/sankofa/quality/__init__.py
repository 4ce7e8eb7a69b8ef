"""Quality: the measures of each dataset, the floors an edition must reach, and the look-ahead audit."""
