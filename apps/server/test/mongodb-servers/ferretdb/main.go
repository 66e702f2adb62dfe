// FerretDB 1.x as one small program for the tests. The project's own command refuses to start when it is built from the
// module proxy, because generated files are missing there; the embeddable package does not need them, and sends no telemetry.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"

	"github.com/FerretDB/FerretDB/ferretdb"
)

// The address goes to standard output. The server ends when its standard input does, so it cannot outlive the tests.
func main() {
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:      ferretdb.ListenerConfig{TCP: "127.0.0.1:0"},
		Logger:        slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		Handler:       "postgresql",
		PostgreSQLURL: os.Args[1],
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	go func() { fmt.Println(server.MongoDBURI()) }()
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
