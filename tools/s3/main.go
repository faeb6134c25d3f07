// A server of the S3 protocol for tests. It keeps its objects in memory, prints its URL, and ends with its standard input.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

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
	go func() {
		log.Fatal(http.Serve(listener, gofakes3.New(backend).Server()))
	}()
	fmt.Println(listener.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
}
