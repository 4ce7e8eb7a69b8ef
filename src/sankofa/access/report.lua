-- KEYS: the names of tallies that have counts which PostgreSQL lacks, such counts of this tally, and its counts that
-- PostgreSQL has. ARGV: the tally's name, then keys and counts in turn.
-- Returns the count that PostgreSQL has of each key. Counts only grow, so a call that is repeated late changes nothing.
local settled = {}
for index = 2, #ARGV, 2 do
    local key, count = ARGV[index], tonumber(ARGV[index + 1])
    local kept = tonumber(redis.call('HGET', KEYS[3], key) or 0)
    if count > kept then
        if count > tonumber(redis.call('HGET', KEYS[2], key) or 0) then
            redis.call('HSET', KEYS[2], key, ARGV[index + 1])
        end
        redis.call('SADD', KEYS[1], ARGV[1])
    end
    settled[#settled + 1] = kept
end
return settled
