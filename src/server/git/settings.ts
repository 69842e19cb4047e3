import { gitFailure } from "./failure.ts";
import { git } from "./git.ts";

// What decides how bytes look on disk and nothing else: values of one word, none of which names a program or a file.
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
/** How objects are kept. */
const OBJECT_EXTENSIONS = new Set(["extensions.objectformat", "extensions.partialclone"]);
/** Files that git only reads; taken from the person's own configuration, never from the repository's. */
const PERSONAL_FILES = new Set(["core.attributesfile", "core.excludesfile"]);
const PERSONAL = new Set(["system", "global"]);
const WORD = /^[\w.,+-]{1,64}$/;

/** The settings banto takes over from a repository, by name. */
export type Settings = ReadonlyMap<string, string>;

export async function readSettings(repository: string): Promise<Settings> {
  const listed = await git(repository, ["config", "--list", "-z", "--show-scope"]);
  if (listed.code !== 0) throw gitFailure(`read the configuration of ${repository}`, listed);
  const settings = new Map<string, string>();
  const fields = listed.stdout.split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = "", entry = ""] = fields.slice(at, at + 2);
    const end = entry.indexOf("\n");
    const name = end < 0 ? entry : entry.slice(0, end);
    const value = end < 0 ? "true" : entry.slice(end + 1);
    if (HARMLESS.has(name) && WORD.test(value)) settings.set(name, value);
    if (name.startsWith("extensions.")) settings.set(name, value);
    if (PERSONAL_FILES.has(name) && PERSONAL.has(scope)) settings.set(name, value);
  }
  return settings;
}

export const isPartialClone = (settings: Settings) => settings.has("extensions.partialclone");

/** As a configuration file of its own, without what is about references and worktrees, of which it has none. */
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
