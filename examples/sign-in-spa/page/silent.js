import { manager } from "./manager.js";

await manager.signinSilentCallback();
