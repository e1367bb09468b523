/** Makes docs/pictures/first-minute.svg from a run of the built command. A part of `npm run pictures`. */
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { recordScene } from "./moving-picture-scene.ts";
import { drawScene } from "./moving-picture-svg.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "standin-picture-")));
const child = spawn(process.execPath, [resolve("dist/cli.js"), "db.json", "--port", "0"], { cwd: folder });
let printed = "";
child.stderr.pipe(process.stderr);
try {
  const url = await new Promise<string>((found, failed) => {
    child.stdout.on("data", (piece) => {
      printed += piece;
      const address = /serving at (\S+)\n.*Saved to/s.exec(printed)?.[1];
      if (address) found(address);
    });
    child.once("close", () => failed(new Error(`The server ended early: ${printed}`)));
  });
  const scene = await recordScene({ url, folder, printed: () => printed });
  writeFileSync("docs/pictures/first-minute.svg", drawScene(scene));
} finally {
  child.kill();
  rmSync(folder, { recursive: true, force: true });
}
