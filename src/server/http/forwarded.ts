/** What a proxy in front says about a request. */
export interface Forwarded {
  /** The Host that the browser asked for. */
  host: string | undefined;
  isTls: boolean;
  /** The client of the nearest proxy. */
  source: string | undefined;
}

const SIGNS = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** From the headers that proxies add, both the standard one and the common ones; undefined if there are none. */
export function forwarded({ headers }: Pick<Request, "headers">): Forwarded | undefined {
  if (!SIGNS.some((name) => headers.has(name))) return undefined;
  const standard = (name: string) =>
    list(headers.get("forwarded")).map(
      (hop) => new RegExp(`(?:^|;)\\s*${name}="?([^;"]+)`, "i").exec(hop)?.[1],
    );
  // The first proxy knows what the browser asked for, the last one knows its own client.
  const host = list(headers.get("x-forwarded-host"))[0] ?? standard("host")[0];
  const proto = list(headers.get("x-forwarded-proto"))[0] ?? standard("proto")[0];
  const source = list(headers.get("x-forwarded-for")).at(-1) ?? standard("for").at(-1);
  return { host, isTls: proto?.toLowerCase() === "https", source };
}

const list = (header: string | null) =>
  header === null
    ? []
    : header
        .slice(0, LONGEST)
        .split(",")
        .map((part) => part.trim());

const LONGEST = 2_000;
