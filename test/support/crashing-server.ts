// A banto that tells every step it takes and, once SIGUSR2 has armed it, dies of SIGKILL after so many.

import { readConfig } from "../../src/server/config.ts";
import { createLog } from "../../src/server/log.ts";
import { serve } from "../../src/server/serve.ts";

const { BANTO_TEST_DIE_AFTER: dieAfter = "0", ...env } = process.env;
let steps = 0;
let armed = false;

const { url, loginUrl, stop } = await serve({
  config: readConfig(env),
  log: createLog((line) => process.stderr.write(line)),
  checkpoint(step) {
    process.stderr.write(`checkpoint ${step}\n`);
    if (armed) steps += 1;
    if (armed && steps === Number(dieAfter)) process.kill(process.pid, "SIGKILL");
  },
});
process.on("SIGUSR2", () => {
  armed = true;
  process.stderr.write("armed\n");
});
process.on("SIGTERM", () => void stop().then(() => process.exit(0)));
process.stdout.write(`banto ready ${url}\nlog in: ${loginUrl}\n`);
