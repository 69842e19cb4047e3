import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const PACKAGES = join(ROOT, "node_modules/@fontsource-variable");

/** The page's fonts, into the folder `fonts` of its build. */
export function copyFonts(out: string): void {
  const to = join(out, "fonts");
  mkdirSync(to);
  for (const family of ["inter", "jetbrains-mono"]) {
    for (const subset of ["latin", "latin-ext"]) {
      const file = join(PACKAGES, family, "files", `${family}-${subset}-wght-normal.woff2`);
      copyFileSync(file, join(to, `${family}-${subset}.woff2`));
    }
  }
  copyFileSync(join(ROOT, "src/client/fonts/signs.woff2"), join(to, "signs.woff2"));
}
