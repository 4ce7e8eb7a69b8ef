"""The local stack: PostgreSQL, two Redis and S3 as private processes on 127.0.0.1, for work and tests."""
