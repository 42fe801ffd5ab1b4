-- Release a lock that holds a token: compare and delete in one step.
-- KEYS[1]  the lock        ARGV[1]  the token of whoever wants to release it
-- Answers   1  released
--           0  there is no such lock: its lease has run out, or it was never taken
--          -1  the lock holds another token and is left alone
-- Source: the release of the single-instance lock in "Distributed Locks with Redis"
-- (Redis documentation), which answers 0 in both of the last two cases.
if #KEYS ~= 1 or #ARGV ~= 1 or ARGV[1] == '' then
  return redis.error_reply('BADARGS unlock takes a lock and a token')
end

local token = redis.call('GET', KEYS[1])
if not token then -- a missing key is false, not nil
  return 0
end
if token ~= ARGV[1] then
  return -1
end
return redis.call('DEL', KEYS[1])
