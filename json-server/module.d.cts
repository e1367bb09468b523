import type * as api from "../dist/json-server/module.js" with { "resolution-mode": "import" };

declare const jsonServer: typeof api.default;
declare namespace jsonServer {
  export type Chain = api.Chain;
  export type DefaultsOptions = api.DefaultsOptions;
  export type JsonServerRouter = api.JsonServerRouter;
  export type RouterDatabase = api.RouterDatabase;
  export type RouterOptions = api.RouterOptions;
}
export = jsonServer;
