// How OpenCode talks to its host: a plugin in the session's folder, which the host fills in with its own address.
import { join } from "node:path";
import type { SignalSpec } from "../../hosts/connection.ts";
import { type Address, type Barred, plugin } from "./plugin.ts";

const PLUGIN = "banto.js";

export const pluginPath = (folder: string) => join(folder, PLUGIN);

export function openCodeSignals(folder: string, barred: Barred): SignalSpec {
  const address: Address = { url: "http://127.0.0.1:@PORT@", secret: "@SECRET@" };
  const template = `${plugin.toString()}\nexport default (input) => plugin(input, ${JSON.stringify(address)}, ${JSON.stringify(barred)});\n`;
  return { file: pluginPath(folder), template };
}
