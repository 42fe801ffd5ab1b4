package luabox
import ("testing";"fmt";"os";"strings")
func TestSmoke(t *testing.T){
 data,_:=os.ReadFile("/tmp/smoke.lua")
 b:=New(Limits{})
 for _,src:=range strings.Split(string(data),"\n====\n"){
  src=strings.TrimSpace(src); if src=="" {continue}
  s,err:=Compile(src); if err!=nil { fmt.Println("--- ",src,"\n   COMPILE", err); continue}
  out:=b.Run(s,&Call{Keys:[]string{"k1"},Args:[]string{"a1","2"},Do:func(a []string,r bool)[]byte{ return []byte("+OK\r\n")}},nil)
  fmt.Printf("--- %s\n   %q steps %d bytes %d\n",src,out,b.limits.Steps-b.steps, b.limits.Bytes-b.bytes)
 }
}
