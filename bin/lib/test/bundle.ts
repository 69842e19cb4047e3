// The server in one file, the page's program, and the terminal's page, made once for the whole run: tests start the server more than a
// hundred times, and loading its sources takes longer than everything else it does when it starts.

import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundlePage } from "../../../test/support/dom/program.ts";
import { buildPage } from "../../../test/support/terminal/build-page.ts";
import { ROOT } from "./items.ts";

const ENTRIES = ["src/server/serve.ts", "test/support/server-process.ts"];

/** Files that belong to it are looked for where the sources are. */
const whereItWas: Bun.BunPlugin = {
  name: "import.meta as in the sources",
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await Bun.file(path).text();
      const folder = dirname(path);
      const contents = text
        .replaceAll("import.meta.dir", JSON.stringify(folder))
        .replaceAll(/import\.meta\.resolve\("([^"]+)"\)/g, (_, name: string) =>
          JSON.stringify(pathToFileURL(Bun.resolveSync(name, folder)).href),
        );
      return { contents, loader: "ts" };
    });
  },
};

/** Tests are told of it by BANTO_TEST_BUNDLE. */
export async function bundleServer(outdir: string): Promise<void> {
  const entrypoints = ENTRIES.map((entry) => join(ROOT, entry));
  await Bun.build({
    ...{ entrypoints, outdir, root: ROOT, target: "bun", splitting: true, sourcemap: "inline" },
    plugins: [whereItWas],
  });
  process.env.BANTO_TEST_BUNDLE = outdir;
}

/** Tests are told of it by BANTO_TEST_TERMINAL_PAGE. */
export async function bundleTerminalPage(outdir: string): Promise<void> {
  await buildPage(outdir);
  process.env.BANTO_TEST_TERMINAL_PAGE = outdir;
}

/** Tests are told of it by BANTO_TEST_PAGE. */
export async function bundlePageProgram(outdir: string): Promise<void> {
  process.env.BANTO_TEST_PAGE = await bundlePage(outdir);
}
