import type { Service } from "../../http/contract.ts";
import { listMembers } from "./members.ts";
import { readKind, readNewName } from "./new-name.ts";
import type { CollectionControl } from "./types.ts";

export function collectionControl(service: Service): CollectionControl {
  const { store } = service;
  return {
    list: () => listMembers(store),
    create: async (name, kind) =>
      store.alter({ kind: "created", name: readNewName(name, service), type: readKind(kind) }),
    rename: async (name, to) => store.alter({ kind: "renamed", name, to: readNewName(to, service) }),
    remove: (name) => store.alter({ kind: "removed", name }),
  };
}
