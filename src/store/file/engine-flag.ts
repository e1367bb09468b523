import { setFlagsFromString } from "node:v8";

/** Sets a flag of V8; returns whether it could be set: other runtimes than Node have another engine, or none of its flags. */
export function setEngineFlag(flag: string, set: (flag: string) => void = setFlagsFromString): boolean {
  try {
    set(flag);
    return true;
  } catch {
    return false;
  }
}
