-- Give back one hold of a re-entrant lock; with the last one the lock is free.
-- KEYS[1]  the lock        KEYS[2]  the channel on which waiters listen
-- ARGV[1]  the lease in ms that the remaining holds get
-- ARGV[2]  the owner, <id>:<n>
-- Answers   1  released, and the waiters have been told
--           2  still held: the owner has holds left
--           0  there is no such lock: its lease has run out, or it was never taken
--          -1  the lock is another owner's and is left alone
-- Source: the lock protocol of Redisson (RLock): the channel is
-- redisson_lock__channel:{lock}, the message 0. Redisson answers nil in both of the
-- last two cases.
local lease = tonumber(ARGV[1] or '')
if #KEYS ~= 2 or #ARGV ~= 2 or ARGV[2] == '' or not lease or lease < 1 then
  return redis.error_reply('BADARGS reentrant_release takes a lock, a channel, a lease of 1 ms or more and an owner')
end
local lock, owner = KEYS[1], ARGV[2]

if redis.call('HEXISTS', lock, owner) == 0 then
  return redis.call('EXISTS', lock) == 0 and 0 or -1
end
if redis.call('HINCRBY', lock, owner, -1) > 0 then
  redis.call('PEXPIRE', lock, ARGV[1])
  return 2
end
redis.call('DEL', lock)
redis.call('PUBLISH', KEYS[2], '0')
return 1
