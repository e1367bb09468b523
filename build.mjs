/**
 * Bundles the doors of the package: one file instead of seventy makes a start three times cheaper, and what is loaded
 * only when used stays in chunks of its own. The server is bundled apart from the other commands. What it shared with
 * them would be cut into thirty chunks, and to open those takes a tenth of a start. Larger libraries stay outside.
 * The folder to build into may be given; it is `dist` otherwise. `--sourcemap` behind it adds source maps.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { build, transform } from "esbuild";
import { mergeChunks } from "./merge-chunks.mjs";

const OUT = relative(".", process.argv[2] ?? "dist").replaceAll("\\", "/");
const OUTSIDE = [
  "@faker-js/faker",
  "@peculiar/x509",
  "bcryptjs",
  "compression",
  "express",
  "jose",
  "js-yaml",
  "path-to-regexp",
  "postgres",
  "re2js",
  "reflect-metadata",
  "send",
];

/** @type {import("esbuild").BuildOptions} */
const COMMON = {
  metafile: true,
  outdir: OUT,
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
  sourcemap: process.argv.includes("--sourcemap"),
  logLevel: "warning",
};

/** What the server loads at every start: the features that are on unless they are switched off. */
const EVERY_START = [
  "src/commands/serve.ts",
  "src/features/collections/collection-routes.ts",
  "src/features/console/pages.ts",
  "src/features/description/llms-route.ts",
  "src/features/description/openapi-route.ts",
  "src/features/description/overview-route.ts",
  "src/features/description/types-route.ts",
  "src/features/faults/open-faults.ts",
  "src/features/live/open-live.ts",
  "src/features/sandboxes/open-sandboxes.ts",
];

/** The commands that cli.ts loads from bundles of their own. */
const commands = new Set();
const otherCommands = {
  name: "other-commands",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/commands\// }, ({ path, importer }) => {
      if (!importer.endsWith("/src/cli.ts") && !importer.endsWith("\\src\\cli.ts")) return undefined;
      if (path === "./commands/serve.ts") return undefined;
      commands.add(`src/${path.slice(2)}`);
      return { path: path.replace(/\.ts$/, ".js"), external: true };
    });
  },
};

/**
 * Programs have the features that are on by default: loaded with the API, not one by one when the first server is
 * created, which would take twice as long.
 */
const featuresAtHand = {
  name: "features-at-hand",
  setup({ onLoad }) {
    const door = /[\\/]features[\\/](console|description|faults|live|sandboxes|snapshots)[\\/]feature\.ts$/;
    onLoad({ filter: door }, ({ path }) => {
      const imports = [];
      const text = readFileSync(path, "utf8").replace(/await import\(("[^"]+")\)/g, (_, part) => {
        if (part.includes("openapi/")) return `await import(${part})`;
        const name = `part${imports.length}`;
        imports.push(`import * as ${name} from ${part};\n`);
        return name;
      });
      return { contents: imports.join("") + text, loader: "ts" };
    });
  },
};

/** The SDK for agents is loaded by the first of them. Both bundles share the file that it is built into. */
const sdkApart = {
  name: "sdk-apart",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/sdk\.ts$/ }, () => ({ path: "#mcp-sdk", external: true }));
  },
};

/** Features that a router never has would only make its one file larger. */
const withoutOtherFeatures = {
  name: "without-other-features",
  setup({ onResolve }) {
    const others =
      /^\.\/(open-(agents|document|live|plugins|rules|sandboxes|snapshots)|pages|living)\.ts$|\/bind\/overrides\.ts$/;
    onResolve({ filter: others }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

const server = await build({
  ...COMMON,
  entryPoints: ["src/cli.ts"],
  // The other bundles may have a chunk of the same content and so of the same name, which is not merged.
  chunkNames: "chunks/server-[name]-[hash]",
  plugins: [otherCommands, sdkApart],
  write: false,
});
// Source maps are for those who look into it, not for those who start it.
if (!COMMON.sourcemap) await mergeChunks(server, EVERY_START);
for (const { path, contents } of server.outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
const rest = await build({
  ...COMMON,
  entryPoints: ["src/index.ts", ...commands],
  plugins: [featuresAtHand, sdkApart],
});
await buildModule();
await buildSdk();

// For the databases that json-server's middlewares and custom servers know: loaded when one is first touched.
await build({
  stdin: {
    contents: 'module.exports = { lodash: require("lodash"), lodashId: require("lodash-id") };',
    resolveDir: import.meta.dirname,
  },
  outfile: `${OUT}/lodash.cjs`,
  bundle: true,
  minify: true,
  legalComments: "inline",
  banner: { js: "/*! lodash-id, Copyright (c) 2014 typicode, MIT License */" },
  platform: "node",
  format: "cjs",
  target: "node20.19",
  logLevel: "warning",
});

// What an earlier build left behind goes last, so that a server started from it has loaded what it needs.
const made = new Set([server, rest].flatMap(({ metafile }) => Object.keys(metafile.outputs)));
for (const name of readdirSync(`${OUT}/chunks`))
  if (!made.has(`${OUT}/chunks/${name}`)) rmSync(`${OUT}/chunks/${name}`);

// White space is a third of the package. Names stay, so that a stack can still be read.
if (!COMMON.sourcemap) {
  const written = readdirSync(OUT, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^(index|chunks|commands).*\.js$/.test(name),
  );
  await Promise.all(written.map((name) => shrink(`${OUT}/${name}`)));
}

// The page at /__docs: the viewer as it is published, with its licence, and what we put around it.
mkdirSync(`${OUT}/docs`, { recursive: true });
for (const name of ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE"]) {
  cpSync(`node_modules/swagger-ui-dist/${name}`, `${OUT}/docs/${name}`);
}
for (const name of readdirSync("viewer")) cpSync(`viewer/${name}`, `${OUT}/docs/${name}`);

// The part of every client that `standin client` writes.
cpSync("clients", `${OUT}/clients`, { recursive: true });

async function shrink(file) {
  // The validator is by far the largest library inside, and each bundle has its own.
  const isValidator = /chunks\/(server-)?2020-/.test(file.replaceAll("\\", "/"));
  const { code } = await transform(readFileSync(file, "utf8"), {
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: isValidator,
    target: COMMON.target,
    ...(isValidator && { banner: "/*! ajv, Copyright (c) 2015-2021 Evgeny Poberezkin, MIT License */" }),
  });
  writeFileSync(file, code);
}

/**
 * json-server's module API as CommonJS, for projects and test runners that cannot require an ES module. Who imports it
 * gets the same instance, so that a data file has one store in a process.
 */
async function buildModule() {
  const names = ["bodyParser", "create", "defaults", "rewriter", "router"];
  const types = ["Chain", "DefaultsOptions", "JsonServerRouter", "RouterDatabase", "RouterOptions"];
  await build({
    ...COMMON,
    entryPoints: ["src/json-server/module.ts"],
    outExtension: { ".js": ".cjs" },
    splitting: false,
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
    define: { "import.meta.url": "__moduleUrl" },
    banner: { js: 'const __moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
    plugins: [withoutOtherFeatures],
  });
  writeFileSync(
    `${OUT}/json-server/module.js`,
    `import module from "./module.cjs";\nexport const { ${names.join(", ")} } = module;\nexport default module.default;\n`,
  );
  writeFileSync(
    `${OUT}/json-server/module.d.cts`,
    [
      'import type * as api from "./module.js" with { "resolution-mode": "import" };',
      "declare const jsonServer: typeof api.default;",
      "declare namespace jsonServer {",
      ...types.map((name) => `  export type ${name} = api.${name};`),
      "}",
      "export = jsonServer;",
      "",
    ].join("\n"),
  );
}

/** The parts of the official MCP SDK that agents need, without its JSON Schema validator, which is larger than the rest. */
async function buildSdk() {
  const validator = "export class DefaultJsonSchemaValidator {}";
  const libraries = ["@modelcontextprotocol/server", "@modelcontextprotocol/core", "zod"];
  await build({
    ...COMMON,
    outdir: undefined,
    outbase: undefined,
    chunkNames: undefined,
    splitting: false,
    metafile: false,
    entryPoints: ["src/features/agents/sdk.ts"],
    outfile: `${OUT}/mcp-sdk.js`,
    minify: !COMMON.sourcemap,
    banner: { js: "/*! Model Context Protocol SDK and zod; licences: mcp-sdk.LICENSES.txt */" },
    plugins: [
      {
        name: "without-validator",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /\/_shims$/ }, () => ({ path: "shims", namespace: "without-validator" }));
          onLoad({ filter: /./, namespace: "without-validator" }, () => ({
            contents: `import process from "node:process";\nexport { process };\n${validator}\n`,
          }));
        },
      },
    ],
  });
  const licences = libraries.map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8")}`);
  writeFileSync(`${OUT}/mcp-sdk.LICENSES.txt`, licences.join("\n\n"));
}
