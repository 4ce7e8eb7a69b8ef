"""The engines: PostgreSQL, Redis and S3, each behind one file; nothing else knows a driver."""
