import type { Overview } from "../api/overview.ts";
import { lazy } from "../ui/lazy.tsx";
import type { Route } from "./route.ts";

/** Each view is loaded when it is first opened, so that the first one appears quickly however many there are. */
const OverviewView = lazy("the overview", async () => (await import("../overview/overview-view.tsx")).OverviewView);
const MemberView = lazy("the data", async () => (await import("../data/member-view.tsx")).MemberView);
const RequestView = lazy("the request", async () => (await import("../request/request-view.tsx")).RequestView);
const TrafficView = lazy("the traffic", async () => (await import("../traffic/traffic-view.tsx")).TrafficView);
const LabView = lazy("the test lab", async () => (await import("../lab/lab-view.tsx")).LabView);
const SnapshotsView = lazy(
  "the snapshots",
  async () => (await import("../snapshots/snapshots-view.tsx")).SnapshotsView,
);
const DocsView = lazy("the API docs", async () => (await import("../reference/docs-view.tsx")).DocsView);

export function View({ route, overview }: { route: Route; overview: Overview }) {
  switch (route.view) {
    case "overview":
      return <OverviewView overview={overview} />;
    case "data":
      return <MemberView overview={overview} route={route} />;
    case "request":
      return <RequestView overview={overview} />;
    case "traffic":
      return <TrafficView />;
    case "lab":
      return <LabView overview={overview} />;
    case "snapshots":
      return <SnapshotsView overview={overview} chosen={route.snapshot} />;
    case "docs":
      return <DocsView overview={overview} at={route.at} />;
  }
}
