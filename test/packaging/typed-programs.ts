/** A program in TypeScript that uses the package by its main door. It compiles where the package is installed. */
export const PROGRAM = `import { createStandin, definePlugin, type Standin, StandinError } from "standin";
interface Data { posts: { id: number; title: string }[] }
const api: Standin<Data> = await createStandin<Data>({ data: { posts: [{ id: 1, title: "Hat" }] } });
const { title }: { title: string } = await api.db.posts.update(1, { title: "Cap" });
// @ts-expect-error: there is no such collection
api.db.comments;
export const plugin = definePlugin({ name: "nothing" });
export { StandinError, title };
`;

/** The same for `standin/json-server`. */
export const IMPORTED = `import jsonServer, { router, type JsonServerRouter } from "standin/json-server";
const api: JsonServerRouter = router({ posts: [{ id: 1 }] });
jsonServer.create().use(jsonServer.defaults(), api);
// @ts-expect-error: there is no such function
jsonServer.nothing();
`;

/** And for `require` in a CommonJS module. */
export const REQUIRED = `import jsonServer = require("standin/json-server");
const api: jsonServer.JsonServerRouter = jsonServer.router({ posts: [{ id: 1 }] });
jsonServer.create().use(jsonServer.defaults(), api);
// @ts-expect-error: there is no such function
jsonServer.nothing();
`;
