// Whether a link's text names a different host than the one it leads to. Pure.

const CANDIDATE = /[\p{L}\p{N}.-]+/gu;
const NAME = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}{2,}$/u;
const NUMBERS = /^\d{1,3}(\.\d{1,3}){3}$/;
/** Endings that are more likely to be a file's than a host's. */
const FILES =
  /\.(c|cc|cpp|css|go|h|hpp|html?|java|jsx?|json|kt|lock|log|md|mjs|pdf|php|pl|png|py|rb|rs|sh|sql|svg|swift|toml|tsx?|txt|vue|ya?ml|zip)$/i;
/** The longest possible host name. */
const MOST_LETTERS = 253;

/** Browsers treat each of these as a full stop. */
const FULL_STOPS = /[\u3002\uff0e\uff61]/g;

/** A host that the text names, if the address leads elsewhere. */
export function claimedHost(text: string, address: string): string | undefined {
  const target = targetHost(address);
  const words = text.replace(FULL_STOPS, ".").split(/\s+/);
  // The first host of each word: what follows it is the rest of an address.
  for (const word of words) {
    const named = firstHost(word);
    if (named !== undefined && target !== named && !target.endsWith(`.${named}`)) return named;
  }
  return undefined;
}

/** Where an address leads, in a form for people. */
const targetHost = (address: string) => {
  const url = new URL(address);
  return plain(url.hostname || (url.pathname.split("@").at(-1) ?? ""));
};

/** The part of an address that ends with its host and port, and the rest. */
export function splitAfterHost(address: string): [string, string] {
  const { length } = /^(?:https?:\/\/[^/?#]*|[^?#]*)/.exec(address)?.[0] ?? "";
  return [address.slice(0, length), address.slice(length)];
}

const plain = (host: string) => host.toLowerCase().replace(/^www\./, "");

function firstHost(text: string): string | undefined {
  for (const { 0: found, index } of text.matchAll(CANDIDATE)) {
    if (found.length > MOST_LETTERS) continue;
    const name = found.replace(/^\.+|\.+$/g, "");
    if (!looksLikeHost(name, text.startsWith("://", index - 3))) continue;
    return plain(URL.parse(`http://${name}`)?.hostname ?? name);
  }
  return undefined;
}

const looksLikeHost = (name: string, isAddress: boolean) =>
  name === "localhost" || NUMBERS.test(name) || (NAME.test(name) && (isAddress || !FILES.test(name)));
