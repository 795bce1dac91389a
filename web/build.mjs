// Builds static/ from web/: two bundles under stable names, and the fonts. The
// server adds content hashes at start, so committed names never change and the
// output of a clean checkout is the same, byte for byte.
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = join(root, "static");

// The script's budget, gzipped.
const scriptLimit = 45 * 1024;

await build({
  absWorkingDir: root,
  entryPoints: { app: "web/main.ts", style: "web/main.css" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome125", "firefox128", "safari18"],
  charset: "utf8",
  legalComments: "none",
  // Fonts stay where they are, beside the style sheet; the server hashes them.
  external: ["./fonts/*"],
  logLevel: "warning",
  logOverride: Object.fromEntries(["unsupported-css-property", "css-syntax-error"].map((k) => [k, "error"])),
});

const pictures = join(root, "views/picture/fonts"); // what the server itself draws with
await mkdir(join(out, "fonts"), { recursive: true });
await mkdir(pictures, { recursive: true });
for (const [family, weights] of Object.entries({ sans: [400, 500, 600], mono: [400, 500] })) {
  const from = join(root, "node_modules/@fontsource", `ibm-plex-${family}`);
  for (const weight of weights) {
    const name = `ibm-plex-${family}-latin-${weight}-normal.woff2`;
    await copyFile(join(from, "files", name), join(out, "fonts", name));
  }
  await copyFile(join(from, "LICENSE"), join(out, "fonts", `LICENSE-ibm-plex-${family}.txt`));
  for (const weight of family === "sans" ? [400, 600] : []) {
    const name = `ibm-plex-sans-latin-${weight}-normal.woff`;
    await copyFile(join(from, "files", name), join(pictures, name));
  }
}

const gzipped = gzipSync(await readFile(join(out, "app.js"))).length;
if (gzipped > scriptLimit) {
  console.error(`app.js: ${gzipped} bytes gzipped; the budget is ${scriptLimit}`);
  process.exit(1);
}
