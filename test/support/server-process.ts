// The server in a process of its own, as most tests run it: without a spare host, and, told to, it writes down every
// step it takes and dies of SIGKILL after so many, once SIGUSR2 has armed it.

import { readConfig } from "../../src/server/config.ts";
import { createLog } from "../../src/server/log.ts";
import { serve } from "../../src/server/serve.ts";

const { BANTO_TEST_DIE_AFTER: dieAfter, ...env } = process.env;
let steps = 0;
let isArmed = false;

function countToDeath(step: string) {
  process.stderr.write(`checkpoint ${step}\n`);
  if (isArmed) steps += 1;
  if (isArmed && steps === Number(dieAfter)) process.kill(process.pid, "SIGKILL");
}

const { url, loginUrl, stop } = await serve({
  config: readConfig(env),
  log: createLog((line) => process.stderr.write(line)),
  keepsSpareHost: false,
  ...(dieAfter !== undefined && { checkpoint: countToDeath }),
});
process.on("SIGUSR2", () => {
  isArmed = true;
  process.stderr.write("armed\n");
});
process.on("SIGTERM", () => void stop().then(() => process.exit(0)));
process.stdout.write(`banto ready ${url}\nlog in: ${loginUrl}\n`);
