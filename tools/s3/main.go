// A server of the S3 protocol for tests. It keeps its objects in memory, prints its address, and ends with its standard input. Then it prints how many writes it was
// sent, and their bytes.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	backend := s3mem.New()
	for _, bucket := range os.Args[1:] {
		if err := backend.CreateBucket(bucket); err != nil {
			log.Fatal(err)
		}
	}
	server := gofakes3.New(backend).Server()
	var writes, bytes atomic.Int64
	counting := http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		if request.Method == http.MethodPut {
			writes.Add(1)
			bytes.Add(request.ContentLength)
		}
		server.ServeHTTP(answer, request)
	})
	go func() {
		log.Fatal(http.Serve(listener, counting))
	}()
	fmt.Println(listener.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
	fmt.Println(writes.Load(), bytes.Load())
}
