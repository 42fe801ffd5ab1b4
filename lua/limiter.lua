-- Let a call pass if fewer than the limit have passed in the present window.
-- KEYS[1]  the counter        ARGV[1]  the limit   ARGV[2]  the window in ms
-- Answers   1  it may pass, and counts
--           0  it is refused: the window is full. What is refused does not count
-- A window begins with its first call, and nothing prolongs it. Where two of them
-- meet, twice the limit can pass within a moment.
-- Source: INCR (Redis documentation), "Pattern: Rate limiter 2", which warns of a
-- counter that is left without an end; here such a counter begins anew.
if #KEYS ~= 1 or #ARGV ~= 2 or not ARGV[1]:match('^[1-9]%d*$') or not ARGV[2]:match('^[1-9]%d*$') then
  return redis.error_reply('BADARGS limiter takes a counter, a limit of 1 or more and a window of 1 ms or more')
end

local used = redis.call('GET', KEYS[1])
if used and not used:match('^%d+$') then
  return redis.error_reply('BADCOUNT the counter is not a whole number')
end
if redis.call('PTTL', KEYS[1]) < 0 then -- there is none, or one that would stay for ever
  redis.call('SET', KEYS[1], 1, 'PX', ARGV[2])
  return 1
end
if tonumber(used) >= tonumber(ARGV[1]) then
  return 0
end
redis.call('INCR', KEYS[1]) -- the time to live stays as it is
return 1
