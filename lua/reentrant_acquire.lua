-- Take a re-entrant lock, or take it once more.
-- KEYS[1]  the lock: a hash with one field, the owner, and the number of its holds
-- ARGV[1]  the lease in ms    ARGV[2]  the owner, <id>:<n>
-- Answers  nil          granted; the lease runs from now, also for earlier holds
--          a number     another owner has it, for so many ms at most
--          -1           another owner has it, and there is no lease that could end
-- Source: the lock protocol of Redisson (RLock), so that its clients and ours keep
-- each other out.
local lease = tonumber(ARGV[1] or '')
if #KEYS ~= 1 or #ARGV ~= 2 or ARGV[2] == '' or not lease or lease < 1 then
  return redis.error_reply('BADARGS reentrant_acquire takes a lock, a lease of 1 ms or more and an owner')
end
local lock, owner = KEYS[1], ARGV[2]

local free = redis.call('EXISTS', lock) == 0
if free or redis.call('HEXISTS', lock, owner) == 1 then
  redis.call('HINCRBY', lock, owner, 1)
  redis.call('PEXPIRE', lock, ARGV[1])
  return nil
end
return redis.call('PTTL', lock)
