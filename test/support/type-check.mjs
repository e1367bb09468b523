/**
 * `tsc` of TypeScript 5, once for each of several lists of arguments, in the folder it is started in: prints what each
 * would print, as JSON. Declarations of libraries, most of what there is to read, are read once for all of them.
 */
import { createRequire } from "node:module";

const ts = createRequire(import.meta.url)("typescript-5");
const declarations = new Map();

function check(args) {
  const { options, fileNames, errors } = ts.parseCommandLine(args);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (file, how, ...rest) => {
    if (!/[\\/](?:lib\.[\w.]*|@types[\\/].*)\.?d\.[cm]?ts$/.test(file)) return getSourceFile(file, how, ...rest);
    // It depends on this whether the file counts as a module.
    const key = `${file} ${how.languageVersion} ${how.impliedNodeFormat}`;
    if (!declarations.has(key)) declarations.set(key, getSourceFile(file, how, ...rest));
    return declarations.get(key);
  };
  const program = ts.createProgram(fileNames, options, host);
  return ts.formatDiagnostics([...errors, ...ts.getPreEmitDiagnostics(program)], host);
}

console.log(JSON.stringify(JSON.parse(process.argv[2]).map(check)));
