import { useState } from "preact/hooks";
import { useStore } from "../api/store.ts";
import { useOverview } from "../api/use-overview.ts";
import { useFollowed } from "../api/use-resource.ts";
import { Button } from "../ui/button.tsx";
import { useConfirm } from "../ui/confirm.tsx";
import { Empty, NotReady, Problem } from "../ui/notice.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { lastSaid } from "../ui/said.ts";
import { Select } from "../ui/select.tsx";
import { useReport } from "../ui/use-report.ts";
import { DeliveryList } from "./delivery-list.tsx";
import { DueList } from "./due-list.tsx";
import {
  changeHook,
  type Delivery,
  type Hook,
  type HookData,
  hookData,
  JOB_STATUSES,
  type JobStatus,
  loadHooks,
  redeliver,
  removeHook,
} from "./hook-data.ts";
import { HookDialog } from "./hook-dialog.tsx";
import { RuleList, TimelineList } from "./rule-list.tsx";
import "./hooks-view.css";

/** Webhooks and the timeline: the rules, what is due, and what was sent. */
export function HooksView() {
  const [list, refresh] = useFollowed("hooks", loadHooks);
  const data = useStore(hookData);
  const { readOnly } = useOverview();
  const [edited, setEdited] = useState<Hook | "new">();
  return (
    <div class="page hooks">
      <PageHead
        title="Hooks"
        lead="Webhooks after changes, and changes that follow others"
        actions={
          !readOnly && (
            <Button look="primary" icon="plus" onClick={() => setEdited("new")}>
              New hook
            </Button>
          )
        }
      />
      <NotReady resource={list} what="the hooks" onRetry={refresh} />
      {data && <Rules data={data} isReadOnly={readOnly} onEdit={setEdited} refresh={refresh} />}
      {data && data.jobs.length > 0 && (
        <section aria-labelledby="hooks-due" class="column">
          <PageHead id="hooks-due" title="Due" lead="The clock in the top bar moves on to it." />
          <DueList jobs={data.jobs} />
        </section>
      )}
      {data && data.deliveries.length > 0 && (
        <Deliveries deliveries={data.deliveries} isReadOnly={readOnly} refresh={refresh} />
      )}
      {edited && (
        <HookDialog
          hook={edited === "new" ? undefined : edited}
          targets={data?.targets ?? []}
          onSaved={(text) => {
            setEdited(undefined);
            lastSaid.set({ text });
            void refresh();
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}

interface RulesProps {
  readonly data: HookData;
  readonly isReadOnly: boolean;
  readonly onEdit: (hook: Hook) => void;
  readonly refresh: () => Promise<void>;
}

function Rules({ data: { hooks, timeline }, isReadOnly, onEdit, refresh }: RulesProps) {
  const { refusal, attempt } = useReport(refresh);
  const [question, ask] = useConfirm();
  const turn = ({ name, off = false }: Hook): Promise<void> =>
    attempt(async () => {
      await changeHook(name, { off: !off });
      return { text: `Turned ${name} ${off ? "on" : "off"}.` };
    });
  const remove = ({ name, given }: Hook): void =>
    ask({
      title: `Remove ${name}?`,
      text: `It sends nothing any more.${given ? " It stands in the config, and comes back with the next start." : ""}`,
      action: "Remove",
      onConfirm: () =>
        attempt(async () => {
          await removeHook(name);
          return { text: `Removed ${name}.` };
        }),
    });
  return (
    <>
      {refusal && <Problem refusal={refusal} />}
      {hooks.length === 0 && timeline.length === 0 && (
        <Empty icon="hook" title="No hooks yet">
          <p>
            A hook sends a signed request after a change. Add one here, or <code>hooks</code> and <code>timeline</code>{" "}
            to the config.
          </p>
        </Empty>
      )}
      {hooks.length > 0 && (
        <RuleList hooks={hooks} isReadOnly={isReadOnly} onTurn={turn} onEdit={onEdit} onRemove={remove} />
      )}
      {timeline.length > 0 && (
        <section aria-labelledby="hooks-timeline" class="column">
          <PageHead id="hooks-timeline" title="Timeline" lead="Changes that follow others; they stand in the config." />
          <TimelineList steps={timeline} />
        </section>
      )}
      {question}
    </>
  );
}

interface DeliveriesProps {
  readonly deliveries: readonly Delivery[];
  readonly isReadOnly: boolean;
  readonly refresh: () => Promise<void>;
}

function Deliveries({ deliveries, isReadOnly, refresh }: DeliveriesProps) {
  const { refusal, attempt } = useReport(refresh);
  const [status, setStatus] = useState<JobStatus | "">("");
  const again = ({ id, event, record }: Delivery): Promise<void> =>
    attempt(async () => {
      await redeliver(id);
      return { text: `Sent ${event} ${record} again.` };
    });
  return (
    <section aria-labelledby="hooks-deliveries" class="column">
      <PageHead
        id="hooks-deliveries"
        title="Deliveries"
        lead="Newest first, with bodies and attempts"
        actions={
          <Select
            aria-label="Status"
            value={status}
            options={[["", "Any status"], ...JOB_STATUSES]}
            onChoose={setStatus}
          />
        }
      />
      {refusal && <Problem refusal={refusal} />}
      <DeliveryList
        deliveries={status === "" ? deliveries : deliveries.filter((one) => one.status === status)}
        onRedeliver={isReadOnly ? undefined : again}
      />
    </section>
  );
}
