/** Which Host and Origin headers are ours: the address we listen on, and those of a proxy in front. */
export interface Origins {
  /** Called once the port is known (BANTO_PORT may be 0). */
  listening(port: number): void;
  isHost(host: string | null): boolean;
  isOrigin(origin: string): boolean;
  /** Whether a proxy serves us under this host. */
  isPublicHost(host: string | null): boolean;
  /** Whether this host is served over TLS. */
  isSecure(host: string | null): boolean;
  /**
   * False if a browser that insists on TLS for one of our names could no longer reach other services on this machine.
   */
  mayBeTlsOnly: boolean;
  /** The address on this machine. */
  local(): string;
  /** The address people use: the proxy's if there is one. */
  base(): string;
  /**
   * Names of the login cookie, with TLS and without. Cookies ignore ports, so two servers on one machine need different
   * names. Browsers accept `__Host-` only from the host itself and over TLS.
   */
  cookieNames(): { secure: string; plain: string };
}

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];
const AUTHORITY = /^[A-Za-z0-9.:[\]-]+$/;
const ANY_ADDRESS = ["0.0.0.0", "::"];

export function createOrigins({ host, publicOrigins }: { host: string; publicOrigins: string[] }): Origins {
  let boundPort = 0;
  let allowed = new Set(publicOrigins);
  const bracketed = host.includes(":") ? `[${host}]` : host;
  const local = () => `http://${ANY_ADDRESS.includes(host) ? "127.0.0.1" : bracketed}:${boundPort}`;

  // URL drops the scheme's default port, as browsers do in Host and Origin.
  const originOf = (scheme: string, authority: string) =>
    URL.canParse(`${scheme}://${authority}`) ? new URL(`${scheme}://${authority}`).origin : undefined;
  const hasOrigin = (scheme: string, authority: string, among = allowed) => {
    const origin = originOf(scheme, authority);
    return origin !== undefined && among.has(origin);
  };
  const isAmong = (given: string | null, among: Set<string>) =>
    given !== null &&
    AUTHORITY.test(given) &&
    (hasOrigin("http", given, among) || hasOrigin("https", given, among));

  return {
    listening(port) {
      boundPort = port;
      const names = ANY_ADDRESS.includes(host) ? LOOPBACK_NAMES : [...LOOPBACK_NAMES, bracketed];
      allowed = new Set([...publicOrigins, ...names.map((name) => new URL(`http://${name}:${port}`).origin)]);
    },
    isHost: (given) => isAmong(given, allowed),
    isPublicHost: (given) => isAmong(given, new Set(publicOrigins)),
    isOrigin: (given) => allowed.has(given),
    isSecure: (given) => given !== null && hasOrigin("https", given),
    mayBeTlsOnly: !publicOrigins.some((origin) => LOOPBACK_NAMES.includes(new URL(origin).hostname)),
    local,
    base: () => publicOrigins[0] ?? local(),
    cookieNames: () => ({ secure: `__Host-banto_${boundPort}`, plain: `banto_${boundPort}` }),
  };
}
