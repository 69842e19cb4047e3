/** Which Host and Origin headers are ours: the address we listen on, and what a proxy serves us under. */
export interface Origins {
  /** Called once the port is known (BANTO_PORT may be 0). */
  listening(port: number): void;
  isHost(host: string | null): boolean;
  isOrigin(origin: string): boolean;
  /** Whether a request to this host reached the proxy over TLS. */
  isSecure(host: string | null): boolean;
  /** The address on this machine. */
  local(): string;
  /** The address people use: the proxy's where there is one. */
  base(): string;
  /** Cookies ignore ports, so two bantos on one machine need different names. */
  cookieName(): string;
}

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];
const AUTHORITY = /^[A-Za-z0-9.:[\]-]+$/;
const ANY_ADDRESS = ["0.0.0.0", "::"];

export function createOrigins({ host, publicOrigins }: { host: string; publicOrigins: string[] }): Origins {
  let boundPort = 0;
  let allowed = new Set(publicOrigins);
  const bracketed = host.includes(":") ? `[${host}]` : host;
  const local = () => `http://${ANY_ADDRESS.includes(host) ? "127.0.0.1" : bracketed}:${boundPort}`;

  // URL drops the port where it is the scheme's default, as browsers do in Host and Origin.
  const originOf = (scheme: string, authority: string) =>
    URL.canParse(`${scheme}://${authority}`) ? new URL(`${scheme}://${authority}`).origin : undefined;
  const hasOrigin = (scheme: string, authority: string) => {
    const origin = originOf(scheme, authority);
    return origin !== undefined && allowed.has(origin);
  };

  return {
    listening(port) {
      boundPort = port;
      const names = ANY_ADDRESS.includes(host) ? LOOPBACK_NAMES : [...LOOPBACK_NAMES, bracketed];
      allowed = new Set([...publicOrigins, ...names.map((name) => new URL(`http://${name}:${port}`).origin)]);
    },
    isHost: (given) =>
      given !== null && AUTHORITY.test(given) && (hasOrigin("http", given) || hasOrigin("https", given)),
    isOrigin: (given) => allowed.has(given),
    isSecure: (given) => given !== null && hasOrigin("https", given),
    local,
    base: () => publicOrigins[0] ?? local(),
    cookieName: () => `banto_${boundPort}`,
  };
}
