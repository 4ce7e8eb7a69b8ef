#!lua name=sankofa_limits
-- One call decides about a request and counts it: a sliding minute and the UTC calendar month.
--
-- The minute is 61 one-second buckets: the current second and the 60 before it. The oldest may lie partly
-- outside the last 60 seconds and is counted whole, so that no sliding minute ever holds more than the
-- limit; the price is at most one second's worth of requests admitted too late.
-- A lease is a number of requests that a process may admit by itself within the next 2 seconds (AHEAD). They are
-- counted in the last second in which they can be used, so they leave the window no earlier than single requests.
-- A window is an array packed as one string: counts by second modulo their number, from 60 seconds ago to AHEAD
-- seconds from now, then the current second of the last call.
-- Time is this server's own; a refused request leaves no trace.
-- Who got no answer asks again under the same name: what was done for that name is not done twice.

local COUNTED = 61
local AHEAD = 2
local BUCKETS = COUNTED + AHEAD
local NEWEST = BUCKETS + 1
local RESERVE = 1 / 8  -- of a minute's limit: never leased, so that a caller finds it whoever holds leases
local LEASED = 1 / 4   -- of the rest: the largest lease
local MONTH_KEPT = 86400  -- a counter outlives its month by a day, for requests given back late
local DAY = 86400
local ANSWER_KEPT = 2000  -- milliseconds, longer than a caller goes on asking
local DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

local month = {name = '2024-01', first = 1704067200, following = 1706745600}

-- Return the UTC month that holds a second, going on from the one that was asked for last.
local function month_of(now)
    if now < month.first then
        month = {name = '2024-01', first = 1704067200, following = 1706745600}
    end
    while now >= month.following do
        local first = month.following
        local year, number = month.name:match('(%d+)-(%d+)')
        year, number = tonumber(year), number % 12 + 1
        if number == 1 then
            year = year + 1
        end
        local days = DAYS[number]
        if number == 2 and year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0) then
            days = 29
        end
        month = {
            name = string.format('%04d-%02d', year, number), first = first, following = first + days * DAY
        }
    end
    return month
end

local function bucket(second)
    return second % BUCKETS + 1
end

-- Return a window with every bucket older than a minute emptied, its total, and its second "now".
local function read_window(key, now)
    local packed = redis.call('GET', key)
    local window = packed and cmsgpack.unpack(packed)
    -- A clock that was set back a little stands still here; after a long way back nothing stored makes sense.
    if window and window[NEWEST] > now then
        if window[NEWEST] - now < COUNTED then
            now = window[NEWEST]
        else
            window = nil
        end
    end
    if not window then
        window = {}
        for index = 1, BUCKETS do
            window[index] = 0
        end
        window[NEWEST] = now
        return window, 0, now
    end
    for second = math.max(window[NEWEST] + AHEAD + 1, now - COUNTED + 1), now + AHEAD do
        window[bucket(second)] = 0
    end
    window[NEWEST] = now
    local used = 0
    for index = 1, BUCKETS do
        used = used + window[index]
    end
    return window, used, now
end

-- Return in how many seconds fewer than `limit` requests will be left, or the first of them will be gone.
local function seconds_until(window, used, now, limit)
    for second = now - COUNTED + 1, now + AHEAD do
        local count = window[bucket(second)]
        used = used - count
        if count > 0 and used < limit then
            return second + COUNTED - now
        end
    end
    return 0
end

local function count_in(key, window, second, amount)
    window[bucket(second)] = window[bucket(second)] + amount
    redis.call('SET', key, cmsgpack.pack(window), 'EX', BUCKETS + 1)
end

-- Return the size of a lease, 0 if little is left of the minute or the month, or if the month is about to end.
local function lease_size(wanted, limits, burst_used, month_used, month_seconds)
    if month_seconds <= AHEAD + 1 or limits[2] - month_used < limits[1] then
        return 0
    end
    local free = limits[1] - limits[1] * RESERVE - burst_used
    return math.max(0, math.floor(math.min(wanted, free * LEASED)))
end

-- Return what was answered under this name, or else act; `act` also says whether its answer must be kept.
local function once(key, name, act)
    local kept = 'answer:' .. key .. ':' .. name
    local earlier = redis.call('GET', kept)
    if earlier then
        return cmsgpack.unpack(earlier)
    end
    local answer, has_counted = act()
    if has_counted then
        redis.call('SET', kept, cmsgpack.pack(answer), 'PX', ANSWER_KEPT)
    end
    return answer
end

-- KEYS: the caller's minute, the caller's month (its name is appended), the caller's rows of the minute, and
-- for a public key the minute of the whole key. ARGV: the limits of the first three, the rows of answers since the
-- last call, the limit of the whole key, the wanted size of a lease (0: none), then the name of the request.
-- Returns which one refused (0: none), the month's name, then remaining and reset of each, without the lease; whether
-- something was counted; the size of the lease and the second in which it is counted.
-- Rows were sent, so they count even if this request is refused.
local function take(keys, args, now, wanted)
    local limits = {tonumber(args[1]), tonumber(args[2]), tonumber(args[3]), tonumber(args[5])}
    local burst, burst_used, burst_now = read_window(keys[1], now)
    local this_month = month_of(now)
    local month_key = keys[2] .. ':' .. this_month.name
    local month_used = tonumber(redis.call('GET', month_key) or 0)
    local rows, rows_used, rows_now = read_window(keys[3], now)
    local sent = tonumber(args[4])
    if sent > 0 then
        count_in(keys[3], rows, rows_now, sent)
        rows_used = rows_used + sent
    end
    local whole, whole_used, whole_now
    if keys[4] then
        whole, whole_used, whole_now = read_window(keys[4], now)
    end

    local refused = 0
    if month_used >= limits[2] then
        refused = 2
    elseif burst_used >= limits[1] then
        refused = 1
    elseif rows_used >= limits[3] then
        refused = 3
    elseif whole and whole_used >= limits[4] then
        refused = 4
    else
        count_in(keys[1], burst, burst_now, 1)
        if redis.call('INCR', month_key) == 1 then
            redis.call('EXPIREAT', month_key, this_month.following + MONTH_KEPT)
        end
        burst_used, month_used = burst_used + 1, month_used + 1
        if whole then
            count_in(keys[4], whole, whole_now, 1)
            whole_used = whole_used + 1
        end
    end

    local answer = {
        refused, this_month.name,
        math.max(0, limits[1] - burst_used), seconds_until(burst, burst_used, burst_now, limits[1]),
        math.max(0, limits[2] - month_used), this_month.following - now,
        math.max(0, limits[3] - rows_used), seconds_until(rows, rows_used, rows_now, limits[3]),
    }
    if whole then
        answer[9] = math.max(0, limits[4] - whole_used)
        answer[10] = seconds_until(whole, whole_used, whole_now, limits[4])
    end
    local leased = 0
    if refused == 0 and wanted and wanted > 0 then
        leased = lease_size(wanted, limits, burst_used, month_used, this_month.following - now)
    end
    if leased > 0 then
        count_in(keys[1], burst, burst_now + AHEAD, leased)
        redis.call('INCRBY', month_key, leased)
    end
    return answer, refused == 0 or sent > 0, leased, burst_now + AHEAD
end

-- KEYS: the caller's minute, and its month with its name. ARGV: the second in which a lease was counted, how many of
-- its requests were not used, then the name of the call. They were never admitted, so both windows get them back.
local function end_lease(keys, args, now)
    local second, unused = tonumber(args[1]), tonumber(args[2])
    local window, _, window_now = read_window(keys[1], now)
    if second > window_now - COUNTED and second <= window_now + AHEAD then
        count_in(keys[1], window, second, -math.min(unused, window[bucket(second)]))
    end
    local used = tonumber(redis.call('GET', keys[2]) or 0)
    if used > 0 then
        redis.call('DECRBY', keys[2], math.min(unused, used))
    end
    return 1, true
end

-- KEYS: the month with its name. ARGV: the name of the refund. A minute gets nothing back: what a caller may ask
-- for in it stays bounded, whatever the answers are.
local function give_back(keys)
    if tonumber(redis.call('GET', keys[1]) or 0) > 0 then
        redis.call('DECR', keys[1])
    end
    return 1, true
end

local function clock()
    return tonumber(redis.call('TIME')[1])
end

redis.register_function('sankofa_take_v4', function(keys, args)
    return once(keys[1], args[#args], function()
        local answer, has_counted, leased, second = take(keys, args, clock(), tonumber(args[6]))
        answer[#answer + 1], answer[#answer + 2] = leased, second
        return answer, has_counted
    end)
end)
redis.register_function('sankofa_end_lease_v4', function(keys, args)
    return once(keys[1], args[#args], function()
        return end_lease(keys, args, clock())
    end)
end)
redis.register_function('sankofa_give_back_v4', function(keys, args)
    return once(keys[1], args[#args], function()
        return give_back(keys)
    end)
end)
