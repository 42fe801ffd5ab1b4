-- Give up on an order that cannot be booked: move its entry to the stream of dead
-- letters, give back what the sale took, and acknowledge it. Called a second time
-- it finds nothing pending and does nothing.
-- KEYS[1]  stream.orders       KEYS[2]  the stream of dead letters
-- KEYS[3]  seckill:stock:<v>   KEYS[4]  seckill:order:<v>
-- ARGV[1]  the consumer group  ARGV[2]  the id of the entry
-- ARGV[3]  how many deliveries the entry may have had before it is given up; 0: any
-- Answers  {what, id of the dead letter or ''}, where what is
--          0  nothing: the entry is not pending, somebody has dealt with it
--          1  moved, and the unit and the user's mark given back
--          2  moved; there was no mark of the user, so no unit is given back either
--          3  acknowledged only: the stream has lost the entry, nobody knows whose
--          4  nothing: the entry is to be tried again, it had few deliveries
-- Source: XPENDING, XACK and "Redis Streams" (Redis documentation) on entries that
-- are delivered again and again.
local most = tonumber(ARGV[3] or '')
if #KEYS ~= 4 or #ARGV ~= 3 or ARGV[1] == '' or ARGV[2] == '' or not most or most < 0 then
  return redis.error_reply('BADARGS dead_letter takes four keys, a group, an entry and a number of deliveries')
end
local orders, dead, stock, users = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local group, id = ARGV[1], ARGV[2]

local pending = redis.call('XPENDING', orders, group, id, id, 1)[1]
if not pending then
  return {0, ''}
end
local deliveries = pending[4]
if deliveries <= most then
  return {4, ''}
end
local entry = redis.call('XRANGE', orders, id, id)[1]
if not entry then
  redis.call('XACK', orders, group, id)
  return {3, ''}
end

-- Everything is read before the first write: what follows cannot fail.
local fields, user = entry[2], nil
for i = 1, #fields, 2 do
  if fields[i] == 'userId' then
    user = fields[i + 1]
  end
end
local marked = user and redis.call('SISMEMBER', users, user) == 1
local left = redis.call('GET', stock)
if left and (left ~= '0' and not left:match('^%-?[1-9]%d*$') or #left > 18) then
  return redis.error_reply('BADSTOCK the stock is not a whole number')
end
local kind = redis.call('TYPE', dead).ok
if kind ~= 'none' and kind ~= 'stream' then
  return redis.error_reply('WRONGTYPE the key of the dead letters holds a ' .. kind)
end

-- A sale that is over does not come back with one unit.
if marked and left then
  redis.call('INCR', stock)
end
if marked then
  redis.call('SREM', users, user)
end
local letter = redis.call('XADD', dead, '*', 'entry', id, 'deliveries', deliveries, unpack(fields))
redis.call('XACK', orders, group, id)
return {marked and 1 or 2, letter}
