// The host's socket, which only its owner can open.
import { rmSync } from "node:fs";
import { Connection } from "./connection.ts";
import { HostFrame } from "./protocol/frames.ts";
import type { Session } from "./session.ts";

/** `session` is asked only when somebody connects, which is not before the caller is done. */
export function listen(path: string, session: () => Session, onCollected: () => void) {
  const connections = new Set<Connection>();
  // Created with the owner's rights only, so there is no moment in which others could connect.
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
        // The other side vanished; close follows.
      },
    },
  });
  process.umask(mask);
  return {
    /** To everybody who subscribed. */
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
