// The server in a process of its own, as most tests run it: without a spare host. After SIGUSR2 it tells every step it
// takes, and dies of SIGKILL at the one that a file gives the name or the number of.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/server/config.ts";
import { createLog } from "../../src/server/log.ts";
import { serve } from "../../src/server/serve.ts";

const { BANTO_TEST_CLOCK_AHEAD: ahead } = process.env;
if (ahead !== undefined) setClockAhead(Number(ahead));
const config = readConfig(process.env);
let fatalStep: string | undefined;
let steps = 0;

const { url, loginUrl, stop } = await serve({
  config,
  log: createLog((line) => process.stderr.write(line)),
  keepsSpareHost: false,
  goesOnHere: process.argv.includes("--go-on-here"),
  checkpoint(step) {
    if (fatalStep === undefined) return;
    process.stderr.write(`checkpoint ${step}\n`);
    steps += 1;
    if (step === fatalStep || steps === Number(fatalStep)) process.kill(process.pid, "SIGKILL");
  },
});
process.on("SIGUSR2", () => {
  steps = 0;
  fatalStep = readFileSync(join(config.dataDir, "fatal-step"), "utf8");
  process.stderr.write("armed\n");
});
process.on("SIGTERM", () => void stop().then(() => process.exit(0)));
process.stdout.write(`banto ready ${url}\nlog in: ${loginUrl}\n`);

/** As if the machine's clock were so many milliseconds ahead. */
function setClockAhead(ms: number): void {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given: [] | [value: number | string]) {
      super(...((given.length === 0 ? [Real.now() + ms] : given) as [number]));
    }
    static override now = () => Real.now() + ms;
  } as DateConstructor;
}
