import { REQUESTS } from "./settings.ts";
import { startStandin } from "./standin.ts";
import { compareWithJsonServer } from "./suite.ts";

compareWithJsonServer("memory", REQUESTS, startStandin);
