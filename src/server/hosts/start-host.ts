import { existsSync } from "node:fs";
import { type PreparedHost, prepareHost } from "../../host/client/launch.ts";
import { isHeld } from "../../host/protocol/claim.ts";
import { LaunchError } from "../../host/protocol/launch-error.ts";
import type { HostRequest } from "../../host/protocol/spec.ts";
import type { Config } from "../config.ts";
import { DomainError } from "../errors.ts";
import type { RunDir } from "./run-dir.ts";

const LOOK_AGAIN_MS = 20;

export type Program = Pick<
  HostRequest,
  "argv" | "cwd" | "env" | "cols" | "rows" | "signals" | "lingerSeconds"
>;

interface StartOptions {
  /** A host that is ready already. */
  host?: PreparedHost;
  /** Called when viewers may connect, a moment before the program runs. */
  onListening?(): void;
}

export type HostStarter = ReturnType<typeof createHostStarter>;

interface StarterParts {
  runDir: RunDir;
  config: Pick<Config, "outputBufferBytes" | "orphanGraceSeconds">;
}

export function createHostStarter({ runDir, config }: StarterParts) {
  /** Waits until the host that has claimed the session listens, or has died. */
  async function listens(sessionId: string): Promise<void> {
    const { socket, record, claim } = runDir.files(sessionId);
    while (!existsSync(socket) && !existsSync(record) && isHeld(claim)) await Bun.sleep(LOOK_AGAIN_MS);
  }

  return {
    /** Starts a host that gets ready while what it needs is still being made. */
    prepare: prepareHost,

    /** Whether a host was started for this session, perhaps by an earlier server. */
    wasStarted: (sessionId: string) => existsSync(runDir.files(sessionId).claim),

    listens,

    /** Runs the program in a host. A host that has already claimed the session counts as well. */
    async start(
      sessionId: string,
      program: Program,
      { host, onListening }: StartOptions = {},
    ): Promise<void> {
      const ready = host ?? prepareHost(sessionId);
      try {
        await ready.launch(
          {
            sessionId,
            ...program,
            ...runDir.hostPaths(sessionId),
            bufferSize: config.outputBufferBytes,
            orphanSeconds: config.orphanGraceSeconds,
          },
          onListening,
        );
      } catch (error) {
        ready.dismiss();
        if (!(error instanceof LaunchError)) throw error;
        if (error.reason !== "taken") throw new DomainError("conflict", error.message);
        await listens(sessionId);
        onListening?.();
      }
    },
  };
}
