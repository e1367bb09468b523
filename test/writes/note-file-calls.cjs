/**
 * Loaded before the command line: appends a line to the file STANDIN_TEST_CALLS for every write to a journal and every flush
 * of one, and for every flush of a folder.
 */
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const { basename } = require("node:path");

const { openSync, appendFileSync } = { ...fs };
const file = process.env.STANDIN_TEST_CALLS;
const opened = new Map();

fs.openSync = (path, flags, ...rest) => {
  const fd = openSync(path, flags, ...rest);
  opened.set(fd, flags === "r" ? "folder" : /\.journal(\.tmp)?$/.test(path) ? "journal" : basename(path));
  return fd;
};

for (const call of ["write", "writeSync", "fsync", "fsyncSync", "fdatasync", "fdatasyncSync"]) {
  const original = fs[call];
  const noting = (fd, ...rest) => {
    const place = opened.get(fd);
    if (place === "journal" || place === "folder") appendFileSync(file, `${lineOf(call, place, rest[0])}\n`);
    return original(fd, ...rest);
  };
  // How it becomes a promise is one of its properties.
  fs[call] = Object.defineProperties(noting, Object.getOwnPropertyDescriptors(original));
}
syncBuiltinESMExports();

function lineOf(call, place, bytes) {
  if (!call.startsWith("write")) return `flush ${place}`;
  const text = String(bytes);
  return text.includes('"folded"') ? "save" : `write ${place} ${text.trimEnd().split("\n").length}`;
}
