import { type Json, parseJson } from "../../base/json/json.ts";
import { setEngineFlag } from "./engine-flag.ts";

/** The collector seldom runs while a shorter text is parsed. */
const MIN_LENGTH = 16 * 1024 * 1024;

/**
 * Parses JSON; a large text while the garbage collector does not mark. The garbage of a start makes it mark early, and then
 * each of the scavenges during the parse takes half as long again, although everything parsed is alive.
 */
export function parseLargeJson(text: string): Json {
  if (text.length < MIN_LENGTH) return parseJson(text);
  setEngineFlag("--no-incremental-marking");
  try {
    return parseJson(text);
  } finally {
    setEngineFlag("--incremental-marking");
  }
}
