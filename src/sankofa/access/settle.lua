-- KEYS: as in report.lua. ARGV: the tally's name, the seconds for which settled counts are remembered, then keys and
-- counts that PostgreSQL has, in turn. A count that grew meanwhile stays until PostgreSQL has it.
for index = 3, #ARGV, 2 do
    local key, count = ARGV[index], tonumber(ARGV[index + 1])
    if count > tonumber(redis.call('HGET', KEYS[3], key) or 0) then
        redis.call('HSET', KEYS[3], key, ARGV[index + 1])
    end
    if tonumber(redis.call('HGET', KEYS[2], key) or 0) <= count then
        redis.call('HDEL', KEYS[2], key)
    end
end
redis.call('EXPIRE', KEYS[3], ARGV[2])
if redis.call('EXISTS', KEYS[2]) == 0 then
    redis.call('SREM', KEYS[1], ARGV[1])
end
return 1
