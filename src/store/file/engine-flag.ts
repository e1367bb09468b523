import { setFlagsFromString } from "node:v8";

/** Sets a flag of V8; returns whether there is one to set: other runtimes than Node have another engine, or none of its flags. */
export function setEngineFlag(flag: string): boolean {
  try {
    setFlagsFromString(flag);
    return true;
  } catch {
    return false;
  }
}
