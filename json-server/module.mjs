// Who imports the module gets the same instance as who requires it, so that a data file has one store in a process.
import module from "../dist/json-server/module.cjs";

export const { bodyParser, create, defaults, rewriter, router } = module;
export default module.default;
