/**
 * Bundles the three doors of the package. One file instead of seventy makes a start three times cheaper; what is loaded
 * only when used stays in chunks of its own, and larger libraries stay outside.
 */
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const OUTSIDE = [
  "@faker-js/faker",
  "@peculiar/x509",
  "bcryptjs",
  "compression",
  "express",
  "jose",
  "path-to-regexp",
  "postgres",
  "re2js",
  "reflect-metadata",
  "send",
  "yaml",
];

const { metafile } = await build({
  metafile: true,
  entryPoints: ["src/cli.ts", "src/index.ts", "src/json-server/module.ts"],
  outdir: "dist",
  outbase: "src",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  external: OUTSIDE,
  // The small CommonJS libraries inside want a require for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
});

// What an earlier build left behind goes last, so that a server started from it has loaded what it needs.
const made = new Set(Object.keys(metafile.outputs));
for (const name of readdirSync("dist/chunks")) if (!made.has(`dist/chunks/${name}`)) rmSync(`dist/chunks/${name}`);

// The page at /__docs: the viewer as it is published, with its licence, and what we put around it.
mkdirSync("dist/docs", { recursive: true });
for (const name of ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE"]) {
  cpSync(`node_modules/swagger-ui-dist/${name}`, `dist/docs/${name}`);
}
for (const name of readdirSync("viewer")) cpSync(`viewer/${name}`, `dist/docs/${name}`);
