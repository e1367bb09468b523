import { StandinError } from "../../base/errors.ts";

/** Takes the place of the library for made-up texts, which is half as large as the rest of a worker, and cannot be loaded later. */
class WithoutFaker {
  constructor(options?: object) {
    if (options)
      throw new StandinError("OPTION_UNAVAILABLE", "A worker cannot make up records. Give all of their fields.");
  }
}

export const faker = new WithoutFaker();
