import { useState } from "preact/hooks";
import type { Member } from "../../api/overview.ts";
import { formatParameters } from "../../api/parameters.ts";
import type { Refusal } from "../../api/refusal.ts";
import { useOverview } from "../../api/use-overview.ts";
import { listRoute, type Route } from "../../routes/route.ts";
import { go } from "../../routes/use-route.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { Problem } from "../../ui/notice.tsx";
import { type OfferedCommand, useOfferedCommands } from "../../ui/offered-commands.ts";
import type { Column } from "../table/columns.ts";
import type { Picked } from "./bulk.ts";

export const CollectionDialogs = lazy(
  "the form",
  async () => (await import("../collection-dialogs.tsx")).CollectionDialogs,
);
const ImportDialog = lazy("the form", async () => (await import("../files/import-dialog.tsx")).ImportDialog);
const ExportDialog = lazy("the form", async () => (await import("../files/export-dialog.tsx")).ExportDialog);
const GenerateRecordsDialog = lazy(
  "the form",
  async () => (await import("../generate-records.tsx")).GenerateRecordsDialog,
);

const FIRST: Route = { view: "data", member: undefined, record: { kind: "none" }, query: "" };

interface CollectionMenuProps {
  readonly member: Member;
  /** The shown records and columns; undefined where there is no list. */
  readonly list?: { readonly picked: Picked; readonly shown: readonly Column[] };
}

/** The actions on a whole collection. */
export function CollectionMenu({ member, list }: CollectionMenuProps) {
  const overview = useOverview();
  const { name } = member;
  const [asked, setAsked] = useState<"generate" | "import" | "export" | "create" | "rename" | "remove">();
  const [refusal, setRefusal] = useState<Refusal>();
  const close = (): void => setAsked(undefined);
  const ofFiles: MenuItem[] = [
    ...(overview.readOnly
      ? []
      : [
          { name: "Generate records…", icon: "duplicate" as const, onChoose: () => setAsked("generate") },
          { name: "Import…", icon: "import" as const, onChoose: () => setAsked("import") },
        ]),
    { name: "Export…", icon: "export", onChoose: () => setAsked("export") },
  ];
  const past: Route = { view: "history", query: formatParameters([["collection", name]]) };
  const items: MenuItem[] = [
    ...(list ? ofFiles : []),
    ...(overview.history ? [{ name: "History", icon: "history" as const, onChoose: () => go(past) }] : []),
    ...(overview.readOnly
      ? []
      : ([
          {
            name: "New collection…",
            icon: "plus",
            startsGroup: list !== undefined,
            onChoose: () => setAsked("create"),
          },
          { name: "Rename…", icon: "pencil", onChoose: () => setAsked("rename") },
          { name: "Remove…", icon: "trash", isDanger: true, onChoose: () => setAsked("remove") },
        ] satisfies MenuItem[])),
  ];
  // The palette has "New collection" everywhere.
  useOfferedCommands(() => items.filter((item) => item.icon !== "plus").map((item) => commandOf(item, name)));
  if (items.length === 0) return null;
  return (
    <>
      <Menu label={`Actions for ${name}`} button={<Icon name="more" />} items={items} />
      {(asked === "create" || asked === "rename" || asked === "remove") && (
        <CollectionDialogs
          asked={asked === "create" ? { kind: asked } : { kind: asked, member }}
          onClose={close}
          onDone={(now) => go(now === undefined ? FIRST : listRoute(now))}
          onRefused={setRefusal}
        />
      )}
      {asked === "generate" && <GenerateRecordsDialog collection={name} onClose={close} />}
      {asked === "import" && <ImportDialog collection={name} onClose={close} />}
      {asked === "export" && list && <ExportDialog {...list} onClose={close} />}
      {refusal && (
        <Dialog title={`${name} was not removed`} shape="box" onClose={() => setRefusal(undefined)}>
          <Problem refusal={refusal} />
        </Dialog>
      )}
    </>
  );
}

/** The action as the palette lists it, where no menu tells of which collection it is. */
function commandOf({ name, icon = "data", onChoose }: MenuItem, collection: string): OfferedCommand {
  return { name: `${name.replace("…", "")} ${collection}`, icon, also: "collection", run: onChoose };
}
