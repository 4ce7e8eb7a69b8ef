-- Sends requests in random order, each with the next key in turn.
-- Arguments: a file of whole requests, divided by NUL, with {key} in the place of the key; a file of keys; the mean
-- pause of a connection in ms, if it pauses.

local asked, keys = {}, {}
local turn = 0

function init(arguments)
    local file = io.open(arguments[1], 'rb')
    for text in (file:read('*a') .. '\0'):gmatch('(.-)%z') do
        local before, after = text:match('^(.-){key}(.*)$')
        asked[#asked + 1] = {before, after}
    end
    file:close()
    for key in io.lines(arguments[2]) do
        keys[#keys + 1] = key
    end
    math.randomseed(1)
    local pause = tonumber(arguments[3])
    if pause then
        function delay()
            return math.floor(-pause * math.log(1 - math.random()))
        end
    end
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
