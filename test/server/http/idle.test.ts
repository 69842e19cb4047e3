import { expect, test } from "bun:test";
import { connect } from "node:net";
import { TestServer } from "../../support/server.ts";

/** Asks once, then says nothing more; the status, once the server has closed the connection. */
function silentAfter(server: TestServer, path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const { host } = new URL(server.url);
    const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${server.token}`];
    const socket = connect(server.port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n`));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1]));
    socket.on("error", reject);
  });
}

test("a connection that falls silent is let go, also after requests that may take their time", async () => {
  await using server = await TestServer.start();
  const paths = ["/api/health", "/api/tasks", "/api/tasks/none"];
  const statuses = await Promise.all(paths.map((path) => silentAfter(server, path)));
  expect(statuses).toEqual(["200", "200", "404"]);
});
