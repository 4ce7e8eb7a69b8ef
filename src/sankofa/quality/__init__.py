"""Quality: what is measured of each dataset, the floors an edition must reach, and the look-ahead audit."""
