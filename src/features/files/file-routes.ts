import { StandinError } from "../../base/errors.ts";
import { isSha256 } from "../../base/file-object.ts";
import { stringifyJson, toJson } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { RouteRow } from "../../http/contract.ts";
import type { Reply } from "../../http/response/reply.ts";
import { filesOfForm } from "./form.ts";
import { fileNotFound, IMMUTABLE, PRIVATE, serveFile } from "./serve-file.ts";
import type { Swept } from "./sweep.ts";
import { isForm, type Uploads } from "./uploads.ts";

/** `POST /__files` uploads by itself, `GET /__files/<sha256>/<name>` sends what is stored. */
export function fileRoutes(uploads: Uploads, clean: () => Promise<Swept>): RouteRow[] {
  return [
    { path: "/__files", isOfData: true, POST: (call) => upload(call, uploads) },
    {
      path: "/__files/:sha256/:name",
      isOfData: true,
      GET: async (call, _service, { sha256 = "", name = "" }) => {
        if (!isSha256(sha256) || !(await uploads.isReadable(call, sha256))) throw fileNotFound();
        return serveFile(call, uploads, { sha256, name, cache: uploads.isGuarded ? PRIVATE : IMMUTABLE });
      },
    },
    {
      path: "/__files/clean",
      isForAdmins: true,
      POST: async () => ({ status: 200, json: stringifyJson(toJson(await clean())) }),
    },
  ];
}

async function upload(call: Call, uploads: Uploads): Promise<Reply> {
  if (!isForm(call)) {
    const file = await uploads.receive(call, { name: givenName(call), type: call.headers["content-type"] });
    return { status: 201, json: stringifyJson(toJson(file)), headers: { Location: `${call.baseUrl}${file.url}` } };
  }
  const [first, ...others] = filesOfForm(await uploads.readParts(call));
  if (!first) throw new StandinError("BODY_MALFORMED", "The form has no file. Send a part with a file name.");
  return { status: 201, json: stringifyJson(others.length === 0 ? first : [first, ...others]) };
}

/** `?name=hat.png`; a body alone has no place for it. */
export function givenName({ parameters }: Call): string | undefined {
  return parameters.get("name")?.[0];
}
