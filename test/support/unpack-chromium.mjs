/** Unpacks the Chromium of the package into TMPDIR and prints where it is. A process of its own, as it is told by environment. */
import chromium from "@sparticuz/chromium";

console.log(await chromium.executablePath());
