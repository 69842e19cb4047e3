// The host's socket, which only its owner can open.
import { rmSync } from "node:fs";
import { Connection } from "./connection.ts";
import { HostFrame } from "./protocol/frames.ts";
import type { Session } from "./session.ts";

/** `session` is called only when somebody connects, which can't be before the caller has returned. */
export function listen(path: string, session: () => Session, onCollected: () => void) {
  const connections = new Set<Connection>();
  // Created with the owner's permissions only, so that others can't connect even for a moment.
  const mask = process.umask(0o177);
  const server = Bun.listen<Connection>({
    unix: path,
    socket: {
      open(socket) {
        socket.data = new Connection({ session: session(), socket, onCollected });
        connections.add(socket.data);
      },
      data: (socket, chunk) => socket.data.data(chunk),
      drain: (socket) => socket.data.drained(),
      close(socket) {
        socket.data.closed();
        connections.delete(socket.data);
      },
      error() {
        // The other side disappeared; close follows.
      },
    },
  });
  process.umask(mask);
  return {
    /** Sends an event to all subscribers. */
    announce(event: unknown) {
      for (const connection of connections)
        if (connection.subscribed) connection.send(HostFrame.event, event);
    },
    close() {
      server.stop(true);
      rmSync(path, { force: true });
    },
  };
}
