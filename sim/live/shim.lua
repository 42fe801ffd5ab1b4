-- What stands before each script of a run that has a time of its own on a live server.
-- The last five arguments are the virtual time, the instant on the server's clock at
-- which virtual time is 0, the date that it is then, all in milliseconds, how many times
-- as fast as the server's virtual time goes, and by how much idle times are stretched.
-- Redis as the script sees it lives in virtual time. A key that the script has not
-- declared is refused, as in a cluster.
local redis = (function(redis)
local own, last = {}, #ARGV - 4
local now, base, EPOCH, times, wide = tonumber(ARGV[last]), tonumber(ARGV[last + 1]), tonumber(ARGV[last + 2]), tonumber(ARGV[last + 3]), tonumber(ARGV[last + 4])
for i = last + 4, last, -1 do ARGV[i] = nil end
for i = 1, #KEYS do own[KEYS[i]] = true end
local function ms(n) return string.format('%.0f', n) end
local every = {DEL=1, UNLINK=1, EXISTS=1, TOUCH=1, MGET=1, SINTER=1, SUNION=1, SDIFF=1, PFCOUNT=1, SINTERSTORE=1, SUNIONSTORE=1, SDIFFSTORE=1, PFMERGE=1}
local two = {RENAME=1, RENAMENX=1, SMOVE=1, COPY=1, RPOPLPUSH=1, LMOVE=1}
local third = {XGROUP=1, XINFO=1, OBJECT=1}
local free = {TIME=1, PING=1, ECHO=1}
local function declared(c, a)
  local from, to, step = 2, 2, 1
  if free[c] then return true end
  if every[c] then to = #a elseif two[c] then to = 3 elseif third[c] then from, to = 3, 3
  elseif c == 'MSET' or c == 'MSETNX' then to, step = #a, 2
  elseif c == 'XREAD' or c == 'XREADGROUP' then
    for i = 2, #a do
      if string.upper(tostring(a[i])) == 'STREAMS' then from, to = i + 1, i + (#a - i) / 2 break end
    end
  end
  if #a < to then return false end
  for i = from, to, step do
    if not own[tostring(a[i])] then return false end
  end
  return true
end
local function server(v) return ms(base + math.max(math.ceil(v / times), math.floor(now / times) + 1)) end
local function at(t, unit) return server(now + tonumber(t) * unit) end
local function span(t) return tonumber(t) and tonumber(t) > 0 end
local function instant(t, unit)
  local v = tonumber(t) * unit - EPOCH
  if v <= now then return '1' end
  return server(v)
end
local function leases(a, i)
  while a[i] do
    local o = string.upper(tostring(a[i]))
    if (o == 'EX' or o == 'PX') and span(a[i + 1]) then
      a[i], a[i + 1] = 'PXAT', at(a[i + 1], o == 'EX' and 1000 or 1)
      i = i + 1
    elseif (o == 'EXAT' or o == 'PXAT') and span(a[i + 1]) then
      a[i], a[i + 1] = 'PXAT', instant(a[i + 1], o == 'EXAT' and 1000 or 1)
      i = i + 1
    end
    i = i + 1
  end
end
local function id(a)
  local i = 3
  while a[i] do
    local o = string.upper(tostring(a[i]))
    if o == 'NOMKSTREAM' then i = i + 1
    elseif o == 'MAXLEN' or o == 'MINID' then
      i = i + 1
      if a[i] == '=' or a[i] == '~' then i = i + 1 end
      i = i + 1
    elseif o == 'LIMIT' then i = i + 2
    else break end
  end
  if a[i] == '*' then a[i] = ms(EPOCH + now) .. '-*' end
end
local function slow(a, i) if tonumber(a[i]) then a[i] = ms(math.ceil(tonumber(a[i]) * wide / times)) end end
local function option(a, i, name)
  while a[i] do
    if string.upper(tostring(a[i])) == name then slow(a, i + 1) return end
    i = i + 1
  end
end
local function run(f, ...)
  local a = {...}
  local c = string.upper(tostring(a[1]))
  if c == 'PUBLISH' then
    if not own[tostring(a[2])] then return redis.error_reply('ERR the script publishes to a channel that is not among its KEYS') end
  elseif not declared(c, a) then
    return redis.error_reply('ERR the script touches a key that is not among its KEYS, or it is not known where the keys of ' .. c .. ' stand')
  end
  if c == 'SET' then leases(a, 4)
  elseif c == 'GETEX' then leases(a, 3)
  elseif (c == 'SETEX' or c == 'PSETEX') and span(a[3]) then
    a = {'SET', a[2], a[4], 'PXAT', at(a[3], c == 'SETEX' and 1000 or 1)}
  elseif (c == 'EXPIRE' or c == 'PEXPIRE') and span(a[3]) then
    a[1], a[3] = 'PEXPIREAT', at(a[3], c == 'EXPIRE' and 1000 or 1)
  elseif (c == 'EXPIREAT' or c == 'PEXPIREAT') and tonumber(a[3]) then
    a[1], a[3] = 'PEXPIREAT', instant(a[3], c == 'EXPIREAT' and 1000 or 1)
  elseif c == 'TTL' or c == 'PTTL' or c == 'EXPIRETIME' or c == 'PEXPIRETIME' then
    local r = f('PEXPIRETIME', a[2])
    if type(r) ~= 'number' or r < 0 then return r end
    r = (r - base) * times
    if times > 1 and r <= now then r = now + 1 end
    if c == 'PTTL' then return r - now end
    if c == 'TTL' then return math.floor((r - now + 500) / 1000) end
    if c == 'PEXPIRETIME' then return r + EPOCH end
    return math.floor((r + EPOCH + 500) / 1000)
  elseif c == 'TIME' then
    local t = EPOCH + now
    return {ms(math.floor(t / 1000)), ms(t % 1000 * 1000)}
  elseif c == 'XADD' then
    if times == 1 then id(a) end
  elseif c == 'XAUTOCLAIM' then slow(a, 5)
  elseif c == 'XCLAIM' then slow(a, 5) option(a, 7, 'IDLE')
  elseif c == 'XPENDING' and #a > 3 then
    if string.upper(tostring(a[4])) == 'IDLE' then slow(a, 5) end
    local r = f(unpack(a))
    if type(r) == 'table' and not r.err then
      for i = 1, #r do r[i][3] = math.floor(r[i][3] * times / wide) end
    end
    return r
  end
  return f(unpack(a))
end
local function call(...)
  local r = run(redis.pcall, ...)
  if type(r) == 'table' and r.err then error(r, 0) end
  return r
end
local seen = {call = call, pcall = function(...) return run(redis.pcall, ...) end}
for _, name in ipairs({'error_reply', 'status_reply', 'sha1hex', 'log', 'LOG_DEBUG', 'LOG_VERBOSE', 'LOG_NOTICE', 'LOG_WARNING', 'replicate_commands'}) do seen[name] = redis[name] end
return seen
end)(redis)
