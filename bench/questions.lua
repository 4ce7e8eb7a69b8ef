-- What wrk asks: one issuer after another in random order, each request with the next key in turn.
-- Arguments: a file of paths and, where it has a second column, of the entity tags to send; a file of keys.

local asked, keys = {}, {}
local turn = 0

function init(arguments)
    for line in io.lines(arguments[1]) do
        local path, tag = line:match('^(%S+)%s*(.*)$')
        local condition = tag ~= '' and 'If-None-Match: ' .. tag .. '\r\n' or ''
        asked[#asked + 1] = {
            'GET ' .. path .. ' HTTP/1.1\r\nHost: 127.0.0.1\r\n' .. condition .. 'X-API-Key: ', '\r\n\r\n'
        }
    end
    for key in io.lines(arguments[2]) do
        keys[#keys + 1] = key
    end
    math.randomseed(1)
end

function request()
    local one = asked[math.random(#asked)]
    turn = turn % #keys + 1
    return one[1] .. keys[turn] .. one[2]
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        'measured %d %d %d %d %d %d\n',
        summary.requests, summary.duration, summary.bytes,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(50), latency:percentile(99)
    ))
end
