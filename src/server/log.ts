// One line per event on standard error; standard output belongs to the ready line and the login link.

export interface Log {
  info(message: string): void;
  error(message: string, cause?: unknown): void;
}

export function createLog(write: (line: string) => void): Log {
  const line = (level: string, message: string) => write(`${new Date().toISOString()} ${level} ${message}\n`);
  return {
    info: (message) => line("info", message),
    error: (message, cause) =>
      line("error", cause === undefined ? message : `${message}: ${describe(cause)}`),
  };
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
