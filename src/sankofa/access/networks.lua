-- KEYS: the mark of this store's contents, the set of the day's keys that many networks use, then a sketch for each
-- entry. ARGV: a new mark, the seconds that a day is kept, how many networks are many, then for each entry the key's
-- id and the network. Returns the mark, which is a new one after the contents were lost, and the size of the set.
redis.call('SET', KEYS[1], ARGV[1], 'NX')
for index = 3, #KEYS do
    local key_id, network = ARGV[2 * index - 2], ARGV[2 * index - 1]
    if redis.call('PFADD', KEYS[index], network) == 1 then
        redis.call('EXPIRE', KEYS[index], ARGV[2])
        if redis.call('PFCOUNT', KEYS[index]) >= tonumber(ARGV[3]) then
            redis.call('SADD', KEYS[2], key_id)
            redis.call('EXPIRE', KEYS[2], ARGV[2])
        end
    end
end
return {redis.call('GET', KEYS[1]), redis.call('SCARD', KEYS[2])}
