-- KEYS: a counter of a month, and its mark. ARGV: the count that was kept, and when both expire.
-- Adds the kept count unless the mark is there, and returns the count. A flush removes both at once.
if redis.call('SET', KEYS[2], 1, 'NX', 'EXAT', ARGV[2]) and tonumber(ARGV[1]) > 0 then
    redis.call('INCRBY', KEYS[1], ARGV[1])
    redis.call('EXPIREAT', KEYS[1], ARGV[2])
end
return tonumber(redis.call('GET', KEYS[1]) or 0)
