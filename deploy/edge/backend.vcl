# Where the cache fetches bodies.
backend service {
    .host = "api";
    .port = "8080";
    .connect_timeout = 1s;
    .first_byte_timeout = 7s;
}
