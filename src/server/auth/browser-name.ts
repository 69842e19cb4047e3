/** The order matters: most user agents also claim to be other browsers, and all claim to be Safari. */
const BROWSERS: [RegExp, string][] = [
  [/Edg(A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone/, "an iPhone"],
  [/iPad/, "an iPad"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "a Mac"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** For people. Only our own words, because whoever signs in chooses the header's text. */
export function browserName(userAgent: string): string {
  const known = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [known(BROWSERS), known(SYSTEMS)];
  if (browser === undefined) return "An unknown browser";
  return system === undefined ? browser : `${browser} on ${system}`;
}
