// A host listens a moment before its program runs: who comes in that moment has missed nothing.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { connectHost, type HostClient } from "../../src/host/client/connect.ts";
import { prepareHost } from "../../src/host/client/launch.ts";
import { readProcess } from "../../src/host/processes/processes.ts";
import { tempDir } from "../support/temp.ts";
import { hostRequest, until } from "./support/host.ts";

setDefaultTimeout(60_000);

test("who comes as soon as it listens sees everything from the first byte to the end", async () => {
  using dir = tempDir("early");
  const request = hostRequest(dir.path, ["sh", "-c", "printf 'first and last'"]);
  const ended = Promise.withResolvers<void>();
  let output = "";
  let coming: Promise<HostClient> | undefined;
  const { hostPid } = await prepareHost(request.sessionId).launch(request, () => {
    coming = connectHost(request.socketPath, {
      output(bytes, offset) {
        expect(offset).toBe(output.length);
        output += Buffer.from(bytes).toString();
      },
      exit: () => ended.resolve(),
    });
  });
  const viewer = await coming;
  viewer?.attach();
  await ended.promise;
  expect(output).toBe("first and last");
  viewer?.collect();
  await until(() => readProcess(hostPid) === undefined, "the host to go");
});

test("who comes to one whose program cannot be started is let go, and nothing is left of it", async () => {
  using dir = tempDir("early");
  const request = hostRequest(dir.path, ["./not-there"]);
  let coming: Promise<string> | undefined;
  const launching = prepareHost(request.sessionId).launch(request, () => {
    coming = connectHost(request.socketPath).then(
      () => "let in",
      () => "let go",
    );
  });
  await expect(launching).rejects.toThrow(/was not found/);
  expect(await coming).toBe("let go");
  expect(existsSync(request.socketPath)).toBe(false);
});
