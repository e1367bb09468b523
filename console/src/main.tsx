import { render } from "preact";
import { followFaults } from "./api/faults.ts";
import { startLiveData } from "./api/live-data.ts";
import { App } from "./shell/app.tsx";
import { startTheme } from "./shell/theme.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/shell.css";
import "./styles/dialogs.css";
import "./styles/overview.css";
import "./styles/data.css";
import "./styles/record.css";
import "./styles/request.css";

startTheme();
startLiveData();
followFaults();
render(<App />, document.getElementById("console") as HTMLElement);
