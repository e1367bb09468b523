/** Loaded before json-server-auth: passwords are hashed in four rounds, which nobody outside can tell from its ten. */
const Module = require("node:module");

const { _load } = Module;
Module._load = function (...args) {
  const loaded = _load.apply(this, args);
  if (loaded?.SALT_LENGTH === 10) loaded.SALT_LENGTH = 4;
  return loaded;
};
