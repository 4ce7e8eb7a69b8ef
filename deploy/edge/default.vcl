vcl 4.1;

# The cache of the edge. It keeps bodies by the name that the service gave to an answer for one edition, takedown,
# tier, format and coding. It decides nothing: nginx asks for a name only after the service has returned it.
# Run it with http_gzip_support=off, because a name stands for one coding, and on a socket that only nginx can open.

import std;
include "./backend.vcl";

sub vcl_recv {
    if (req.method == "BAN") {
        # Every body that was not made under this takedown number is dropped.
        if (req.http.Edge-Takedown !~ "^[0-9]+$") {
            return (synth(400, "Edge-Takedown must be a number"));
        }
        if (!std.ban("obj.http.Edge-Takedown != " + req.http.Edge-Takedown)) {
            return (synth(500, std.ban_error()));
        }
        return (synth(200, "Dropped"));
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (synth(405, "GET or HEAD"));
    }
    if (!req.http.Edge-Answer || !req.http.Edge-Ticket) {
        return (synth(403, "Only through the edge"));
    }
    return (hash);
}

sub vcl_hash {
    hash_data(req.http.Edge-Answer);
    return (lookup);
}

sub vcl_backend_response {
    # Bytes are kept as they are; the filter that checks gzip would make the name depend on Accept-Encoding again.
    set beresp.filters = "";
    set beresp.grace = 0s;
    set beresp.keep = 0s;
    # The service permits it only if this is still the answer of that name.
    if (beresp.status == 200 && beresp.http.Surrogate-Control ~ "^max-age=[0-9]+$") {
        set beresp.ttl = std.duration(regsub(beresp.http.Surrogate-Control, "^max-age=", "") + "s", 0s);
        # A name has one form, whatever the request fields were. Callers get the field back.
        set beresp.http.Edge-Vary = beresp.http.Vary;
        unset beresp.http.Vary;
        unset beresp.http.X-Request-Id;
    } else {
        # Waiting requests fetch for themselves, each with its own ticket.
        set beresp.uncacheable = true;
        set beresp.ttl = 0s;
    }
    return (deliver);
}

sub vcl_backend_error {
    # nginx then asks the service itself.
    set beresp.status = 502;
    set beresp.http.Content-Type = "text/plain";
    set beresp.body = "No answer from the service";
    return (deliver);
}

sub vcl_deliver {
    if (resp.http.Edge-Vary) {
        set resp.http.Vary = resp.http.Edge-Vary;
    }
    unset resp.http.Edge-Vary;
    unset resp.http.Edge-Takedown;
    unset resp.http.Surrogate-Control;
    unset resp.http.Age;
    unset resp.http.Via;
    unset resp.http.X-Varnish;
    return (deliver);
}
