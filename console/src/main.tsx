import { render } from "preact";
import { followFaults } from "./api/faults.ts";
import { startLiveData } from "./api/live-data.ts";
import { App } from "./shell/app.tsx";
import { startTheme } from "./shell/theme.ts";
import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/controls.css";
import "./shell/shell.css";
import "./ui/dialog.css";
import "./overview/overview-view.css";
import "./data/list-view.css";
import "./data/related.css";
import "./request/request-view.css";

startTheme();
startLiveData();
followFaults();
render(<App />, document.getElementById("console") as HTMLElement);
