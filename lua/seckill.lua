-- Sell one unit of a voucher to a user, once, and queue the order.
-- KEYS[1]  seckill:stock:<v>   units left, a whole number
-- KEYS[2]  seckill:order:<v>   set of the users who have bought
-- KEYS[3]  stream.orders       orders to be booked: userId, voucherId, id
-- ARGV     userId, voucherId, orderId: digits. They stay text: a Lua number has 53
--          bits, an order id has 64.
-- Answers  0  accepted: one unit less, the user marked, the order in the stream
--          1  sold out
--          2  this user has bought already
--          3  not on sale: there is no stock key
--          4  an argument is missing or is not a number
-- Source: "Scripting with Lua" (Redis documentation): a script runs alone, but what
-- it wrote before an error stays. So everything that could fail is looked at before
-- the first write.
if #KEYS ~= 3 or #ARGV ~= 3 then
  return 4
end
local user, voucher, order = ARGV[1], ARGV[2], ARGV[3]
for _, id in ipairs(ARGV) do
  if not id:match('^%d+$') then
    return 4
  end
end

local stock = redis.call('GET', KEYS[1])
if stock == false then -- what a missing key gives; comparing with nil never holds
  return 3
end
if stock ~= '0' and not stock:match('^%-?[1-9]%d*$') or #stock > 18 then
  return redis.error_reply('BADSTOCK the stock is not a whole number') -- DECR would fail
end
if redis.call('SISMEMBER', KEYS[2], user) == 1 then -- 0 is true in Lua
  return 2
end
if tonumber(stock) <= 0 then
  return 1
end
local kind = redis.call('TYPE', KEYS[3]).ok
if kind ~= 'none' and kind ~= 'stream' then
  return redis.error_reply('WRONGTYPE the key of the order stream holds a ' .. kind)
end

redis.call('DECR', KEYS[1])
redis.call('SADD', KEYS[2], user)
redis.call('XADD', KEYS[3], '*', 'userId', user, 'voucherId', voucher, 'id', order)
return 0
