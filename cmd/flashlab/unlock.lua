-- KEYS[1]  the lock        ARGV[1]  the token of whoever wants to release it
-- Answers   1 released   0 there is no lock   -1 somebody else has it
return redis.call('DEL', KEYS[1])
