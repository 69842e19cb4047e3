import { expect, test } from "bun:test";
import { join } from "node:path";
import { keepLastOutput } from "../../../src/server/hosts/last-output.ts";
import { tempDir } from "../../support/temp.ts";

test("a host that is gone, or goes while it is asked, is an answer and not the end of the server", async () => {
  using dir = tempDir("last-output");
  const path = join(dir.path, "host.sock");
  await expect(keepLastOutput(path, join(dir.path, "last"))).rejects.toThrow();
  using _host = Bun.listen({
    unix: path,
    socket: {
      data: (socket) => void socket.end(),
    },
  });
  // Whatever was rejected without anybody listening would fail this test.
  await expect(keepLastOutput(path, join(dir.path, "last"))).rejects.toThrow();
});
