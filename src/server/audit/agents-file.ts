// agents.toml says what agents run. Nobody changes it through banto, so a change is noticed when it is read.
import { sha256 } from "../auth/token.ts";
import type { Log } from "../log.ts";
import type { Audit } from "./audit.ts";

const FILE = { by: "file", name: "on disk", login: null } as const;
/** Of the text that is kept. */
const KEPT = 65_536;

/** Called with the text of the file whenever that is another one than before. */
export const noteAgentsFile =
  ({ audit, log }: { audit: Pick<Audit, "add" | "last">; log: Log }) =>
  (text: string) => {
    const digest = sha256(text);
    try {
      const before = audit.last("agents_file")?.detail;
      if (before === undefined ? text === "" : before.digest === digest) return;
      audit.add({ who: FILE, action: "agents_file", detail: { text: text.slice(0, KEPT), digest } });
    } catch (error) {
      log.error("writing down what agents.toml says", error); // agents can be started all the same
    }
  };
