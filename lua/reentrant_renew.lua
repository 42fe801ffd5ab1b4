-- Prolong the lease of a re-entrant lock while its owner holds it.
-- KEYS[1]  the lock        ARGV[1]  the new lease in ms, from now
--                          ARGV[2]  the owner, <id>:<n>
-- Answers   1  renewed
--           0  there is no such lock any more
--          -1  the lock is another owner's and is left alone
-- Source: the lock protocol of Redisson (RLock), the renewal by its watchdog.
local lease = tonumber(ARGV[1] or '')
if #KEYS ~= 1 or #ARGV ~= 2 or ARGV[2] == '' or not lease or lease < 1 then
  return redis.error_reply('BADARGS reentrant_renew takes a lock, a lease of 1 ms or more and an owner')
end

if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then
  return redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return redis.call('EXISTS', KEYS[1]) == 0 and 0 or -1
