import { useEffect, useState } from "preact/hooks";
import { useOverview } from "../api/use-overview.ts";
import { listRoute, type Route } from "../routes/route.ts";
import { go } from "../routes/use-route.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/notice.tsx";
import { ListView } from "./list-view.tsx";
import { CollectionDialogs } from "./rows/collection-menu.tsx";
import { SingletonView } from "./singleton-view.tsx";

type DataRoute = Extract<Route, { view: "data" }>;

/** The data of one member: a list with its records, or the one object of a singleton. */
export function MemberView({ route }: { route: DataRoute }) {
  const overview = useOverview();
  const first = overview.members[0]?.name;
  useEffect(() => {
    if (route.member === undefined && first !== undefined) go(listRoute(first), "replace");
  }, [route.member, first]);
  const member = overview.members.find(({ name }) => name === route.member);
  if (!member) {
    return (
      <Empty icon="data" title={route.member === undefined ? "No data yet" : "There is no such collection"}>
        <p>
          {route.member === undefined
            ? "Create a collection here, or add one to the data file: a top-level key with an array."
            : overview.isPresentReadOnly === undefined
              ? `Nothing is served at /${route.member}. A restored snapshot may have removed it.`
              : `There was no ${route.member} at this moment.`}
        </p>
        {!overview.readOnly && <NewCollection />}
      </Empty>
    );
  }
  if (member.kind === "singleton") return <SingletonView key={member.name} name={member.name} />;
  return <ListView key={member.name} member={member} route={route} />;
}

function NewCollection() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" icon="plus" onClick={() => setOpen(true)}>
        New collection
      </Button>
      {isOpen && (
        <CollectionDialogs
          asked={{ kind: "create" }}
          onClose={() => setOpen(false)}
          onDone={(name) => name !== undefined && go(listRoute(name))}
          onRefused={() => undefined}
        />
      )}
    </>
  );
}
