import { join, resolve } from "node:path";
import { gitFailure } from "./failure.ts";
import { FileCache } from "./file-cache.ts";
import { git } from "./git.ts";

// Settings that only affect the bytes on disk: single words that name no program or file.
const HARMLESS = new Set([
  "core.autocrlf",
  "core.bigfilethreshold",
  "core.checkroundtripencoding",
  "core.compression",
  "core.eol",
  "core.loosecompression",
  "core.precomposeunicode",
  "core.protecthfs",
  "core.protectntfs",
  "core.sharedrepository",
  "core.sparsecheckout",
  "core.sparsecheckoutcone",
  "checkout.thresholdforparallelism",
  "checkout.workers",
]);
/** How objects are stored. */
const OBJECT_EXTENSIONS = new Set(["extensions.objectformat", "extensions.partialclone"]);
/** Files that git only reads. Taken from the person's own configuration, never from the repository's. */
const PERSONAL_FILES = new Set(["core.attributesfile", "core.excludesfile"]);
const PERSONAL = new Set(["system", "global"]);
/** With these, settings may come from files whose names are unknown. */
const FROM_ELSEWHERE = /^include(if\..*)?\.path$|^extensions\.worktreeconfig$/;
const WORD = /^[\w.,+-]{1,64}$/;

/** The settings that banto adopts from a repository, by name. */
export type Settings = ReadonlyMap<string, string>;

interface Entry {
  scope: string;
  /** `file:` and a path, which may be relative to the repository. */
  origin: string;
  name: string;
  value: string;
}

const cache = new FileCache<Settings>();

/** Cached settings that are still valid. A cached entry also means that git trusts the repository. */
export const cachedSettings = (repository: string) => cache.get(repository);

export async function readSettings(repository: string): Promise<Settings> {
  const readAt = Date.now();
  const listed = await git(repository, ["config", "--list", "-z", "--show-scope", "--show-origin"]);
  if (listed.code !== 0) throw gitFailure(`read the configuration of ${repository}`, listed);
  const entries = entriesOf(listed.stdout);
  const settings = new Map<string, string>();
  for (const { scope, name, value } of entries) {
    if (HARMLESS.has(name) && WORD.test(value)) settings.set(name, value);
    if (name.startsWith("extensions.")) settings.set(name, value);
    if (PERSONAL_FILES.has(name) && PERSONAL.has(scope)) settings.set(name, value);
  }
  const isTrusted = entries.some(({ scope }) => scope === "local");
  if (isTrusted && !entries.some(({ name }) => FROM_ELSEWHERE.test(name))) {
    cache.set(repository, settings, { files: filesOf(repository, entries), readAt });
  }
  return settings;
}

function entriesOf(listed: string): Entry[] {
  const fields = listed.split("\0");
  const entries: Entry[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = "", origin = "", entry = ""] = fields.slice(at, at + 3);
    const end = entry.indexOf("\n");
    const name = end < 0 ? entry : entry.slice(0, end);
    entries.push({ scope, origin, name, value: end < 0 ? "true" : entry.slice(end + 1) });
  }
  return entries;
}

/** The files that settings came from, and those they would come from if they existed. */
function filesOf(repository: string, entries: Entry[]): string[] {
  const { HOME = "", XDG_CONFIG_HOME } = process.env;
  const more = join(XDG_CONFIG_HOME || join(HOME, ".config"), "git/config");
  const usual = ["/etc/gitconfig", join(HOME, ".gitconfig"), more];
  const origins = entries.map(({ origin }) => origin).filter((origin) => origin.startsWith("file:"));
  const files = origins.map((origin) => resolve(repository, origin.slice("file:".length)));
  return [...new Set([...usual, ...files])];
}

export const isPartialClone = (settings: Settings) => settings.has("extensions.partialclone");

/** The settings as a configuration file, without those about references and worktrees. */
export function settingsFile(settings: Settings): string {
  const written = [...settings].filter(
    ([name]) => !name.startsWith("extensions.") || OBJECT_EXTENSIONS.has(name),
  );
  const needsExtensions = written.some(([name]) => OBJECT_EXTENSIONS.has(name));
  const lines = written.map(([name, value]) => {
    const [section, key] = name.split(".");
    return `[${section}] ${key} = "${value.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  });
  return [
    "[core] bare = false",
    `[core] repositoryformatversion = ${needsExtensions ? 1 : 0}`,
    ...lines,
    "",
  ].join("\n");
}
