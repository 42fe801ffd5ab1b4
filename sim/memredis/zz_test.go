package memredis
import ("testing";"flashlab/sim/memredis/luabox"; "github.com/redis/go-redis/v9")
func BenchmarkUnlockQuick(b *testing.B){
 for _,pool:=range []bool{false,true}{
 name:="plain"; if pool {name="pooled"}
 b.Run(name, func(b *testing.B){
  m:=start(b); if pool { if _,err:=PoolScripts(m,luabox.Limits{});err!=nil{b.Fatal(err)}}
  rdb:=Client(m); defer rdb.Close()
  sha,err:=rdb.ScriptLoad(ctx,unlock).Result(); if err!=nil{b.Fatal(err)}
  b.ReportAllocs()
  for b.Loop(){ if err:=rdb.EvalSha(ctx,sha,[]string{"lock"},"token").Err();err!=nil{b.Fatal(err)}}
 })}
}
func TestQuick(t *testing.T){
 m:=start(t); if _,err:=PoolScripts(m,luabox.Limits{});err!=nil{t.Fatal(err)}
 rdb:=Client(m); defer rdb.Close()
 show:=func(v any,err error){ t.Logf("%#v %v",v,err)}
 show(rdb.Eval(ctx,"return {redis.call('set',KEYS[1],ARGV[1]), redis.call('get',KEYS[1]), redis.call('get','x')}",[]string{"k"},"v").Result())
 show(rdb.Eval(ctx,"return redis.call('incr',KEYS[1])",[]string{"k"}).Result())
 show(rdb.Eval(ctx,"return redis.pcall('incr',KEYS[1])",[]string{"k"}).Result())
 show(rdb.Eval(ctx,"return redis.call('hset',KEYS[1],'a')",[]string{"k"}).Result())
 show(rdb.Eval(ctx,"return redis.call('time')",nil).Result())
 cmds,err:=rdb.TxPipelined(ctx,func(p redis.Pipeliner) error { p.Set(ctx,"a",1,0); p.Eval(ctx,"return {redis.call('incr','a'),{err='X y'}}",nil); p.Get(ctx,"a"); p.Eval(ctx,"error('boom')",nil); p.ScriptLoad(ctx,"return 7"); return nil})
 for _,c:=range cmds { t.Log(c) }; t.Log(err)
 show(rdb.ScriptExists(ctx,"0","1").Result())
 show(rdb.Do(ctx,"select",3).Result())
 show(rdb.Do(ctx,"eval","return redis.call('set','db3','1')",0).Result())
 t.Log(m.DB(3).Keys(), m.DB(0).Keys())
}
