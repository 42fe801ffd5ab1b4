-- Prolong the lease of a lock that holds a token: compare and PEXPIRE in one step.
-- KEYS[1]  the lock        ARGV[1]  the token   ARGV[2]  the new lease in ms, from now
-- Answers   1  renewed
--           0  there is no such lock any more
--          -1  the lock holds another token and is left alone
-- Source: "Distributed Locks with Redis" (Redis documentation), extending a lock.
local lease = tonumber(ARGV[2] or '')
if #KEYS ~= 1 or #ARGV ~= 2 or ARGV[1] == '' or not lease or lease < 1 then
  -- PEXPIRE with 0 or less would delete the lock instead.
  return redis.error_reply('BADARGS renew takes a lock, a token and a lease of 1 ms or more')
end

local token = redis.call('GET', KEYS[1])
if not token then
  return 0
end
if token ~= ARGV[1] then
  return -1
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
