// What ttyd does, in the same runtime: a terminal and a WebSocket in one process, and nothing in between.
const [command = ""] = process.argv.slice(2);
let child: Bun.Subprocess | undefined;
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 400 })),
  websocket: {
    open(ws) {
      child = Bun.spawn(["sh", "-c", command], {
        terminal: { cols: 80, rows: 24, data: (_terminal, chunk) => void ws.sendBinary(chunk.slice()) },
      });
    },
    message() {},
    close() {
      child?.kill("SIGKILL");
    },
  },
});
console.log(server.url.href);
