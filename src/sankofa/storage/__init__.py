"""PostgreSQL, Redis and S3, each behind one module. No other package imports a driver."""
