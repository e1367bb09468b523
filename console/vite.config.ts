import { defineConfig } from "vite";

// Whatever runs the build, tests among them: other builds tell the paths of the sources.
process.env.NODE_ENV = "production";

/** The console: plain files with hashed names, nothing inline, so that a strict Content-Security-Policy holds. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/__console/",
  logLevel: "warn",
  // The page names its files from the root; they find each other wherever the service is mounted.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === "html" ? undefined : { relative: true }) },
  build: {
    outDir: "../dist/console",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: "license.md" },
  },
});
