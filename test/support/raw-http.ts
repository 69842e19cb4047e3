import { connect } from "node:net";

/** Sends bytes as they are, which no HTTP client would, and gives the status of the answer: 0 when there is none. */
export function sendRaw(port: number, lines: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n`));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(received)?.[1];
      if (status === undefined) return;
      resolve(Number(status));
      socket.destroy();
    });
    socket.on("close", () => resolve(0));
    socket.on("error", reject);
  });
}
