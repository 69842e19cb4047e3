type Environment = Record<string, string | undefined>;

/** For an agent that talks to its host over HTTP on this machine, which a proxy elsewhere couldn't reach. */
export function reachLoopback(env: Environment): Record<string, string> {
  const isProxied = ["http_proxy", "https_proxy", "all_proxy"].some(
    (name) => env[name] || env[name.toUpperCase()],
  );
  if (!isProxied) return {};
  const listed = env.no_proxy || env.NO_PROXY;
  const list = listed ? `${listed},127.0.0.1` : "127.0.0.1";
  return { no_proxy: list, NO_PROXY: list };
}
