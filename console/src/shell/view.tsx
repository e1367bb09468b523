import type { Route } from "../routes/route.ts";
import { lazy } from "../ui/lazy.tsx";

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
const HistoryView = lazy("the history", async () => (await import("../history/history-view.tsx")).HistoryView);
const RecordingView = lazy(
  "the recording",
  async () => (await import("../recording/recording-view.tsx")).RecordingView,
);
const HooksView = lazy("the hooks", async () => (await import("../hooks/hooks-view.tsx")).HooksView);
const AgentsView = lazy("the agents", async () => (await import("../agents/agents-view.tsx")).AgentsView);
const ExamplesView = lazy("the examples", async () => (await import("../examples/examples-view.tsx")).ExamplesView);
const DocsView = lazy("the API docs", async () => (await import("../reference/docs-view.tsx")).DocsView);

export function View({ route }: { route: Route }) {
  switch (route.view) {
    case "overview":
      return <OverviewView />;
    case "data":
      return <MemberView route={route} />;
    case "request":
      return <RequestView query={route.query} />;
    case "traffic":
      return <TrafficView />;
    case "lab":
      return <LabView />;
    case "snapshots":
      return <SnapshotsView chosen={route.snapshot} to={route.to} />;
    case "history":
      return <HistoryView route={route} />;
    case "record":
      return <RecordingView />;
    case "hooks":
      return <HooksView />;
    case "agents":
      return <AgentsView />;
    case "examples":
      return <ExamplesView />;
    case "docs":
      return <DocsView at={route.at} />;
  }
}
