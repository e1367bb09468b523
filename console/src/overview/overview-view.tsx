import { useState } from "preact/hooks";
import { pathHere } from "../api/base.ts";
import type { Overview } from "../api/overview.ts";
import type { Refusal } from "../api/refusal.ts";
import { linksIn } from "../data/relations.ts";
import { formatRoute, listRoute } from "../shell/route.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatCount, plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Empty, Problem } from "../ui/notice.tsx";
import { type AskedOfCollections, CollectionDialogs } from "./collection-dialogs.tsx";
import { ExamplesCard } from "./examples-card.tsx";
import { RecordRulesCard } from "./record-rules-card.tsx";
import { RulesCard } from "./rules-card.tsx";
import { ServerCard } from "./server-card.tsx";

/** The first view: collections, server, layers and rules. */
export function OverviewView({ overview }: { overview: Overview }) {
  const { members, url } = overview;
  const total = members.reduce((sum, member) => sum + (member.kind === "collection" ? member.count : 0), 0);
  return (
    <div class="page">
      <div class="page-head">
        <div>
          <h1>Overview</h1>
          <p class="lead">
            {plural(members.length, "address", "addresses")}, {plural(total, "record")}
          </p>
        </div>
        <div class="address">
          <code>{url}</code>
          <CopyButton text={url} />
        </div>
      </div>
      <div class="overview-grid">
        <div class="stack">
          <Members overview={overview} />
          <ExamplesCard overview={overview} />
        </div>
        <div class="stack">
          <ServerCard overview={overview} />
          <LayersCard layers={overview.layers} />
          <RecordRulesCard overview={overview} />
          <RulesCard rules={overview.rules} />
        </div>
      </div>
    </div>
  );
}

function Members({ overview }: { overview: Overview }) {
  const { members, url, readOnly } = overview;
  const [asked, setAsked] = useState<AskedOfCollections>();
  const [refusal, setRefusal] = useState<Refusal>();
  const open = (question: AskedOfCollections): void => {
    setRefusal(undefined);
    setAsked(question);
  };
  return (
    <section class="card" aria-labelledby="served">
      <div class="card-head">
        <h2 id="served">Data</h2>
        {!readOnly && (
          <button type="button" class="button small" onClick={() => open({ kind: "create" })}>
            <Icon name="plus" />
            New collection
          </button>
        )}
      </div>
      {refusal && <Problem refusal={refusal} />}
      {members.length === 0 && (
        <Empty icon="data" title="No data yet">
          <p>A collection is a top-level key with an array in the data file.</p>
        </Empty>
      )}
      <ul class="member-list">
        {members.map((member) => {
          const { name, kind, count } = member;
          const address = `/${encodeURIComponent(name)}`;
          const parents = [...new Set(linksIn(overview).flatMap(({ from, to }) => (from === name ? [to] : [])))];
          return (
            <li key={name}>
              <a class="member" href={formatRoute(listRoute(name))}>
                <span class="member-name cut">{name}</span>
                <span class="member-note cut">
                  {kind === "singleton" ? "one object" : parents.length > 0 ? `belongs to ${parents.join(", ")}` : ""}
                </span>
                <span class="member-count">{kind === "collection" ? formatCount(count) : "1"}</span>
              </a>
              <a
                class="raw"
                href={pathHere(address)}
                target="_blank"
                rel="noreferrer"
                aria-label={`${url}${address} as JSON`}
              >
                JSON
              </a>
              {!readOnly && (
                <>
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={`Rename ${name}`}
                    onClick={() => open({ kind: "rename", member })}
                  >
                    <Icon name="pencil" />
                  </button>
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={`Remove ${name}`}
                    onClick={() => open({ kind: "remove", member })}
                  >
                    <Icon name="trash" />
                  </button>
                </>
              )}
            </li>
          );
        })}
      </ul>
      <p class="hint">
        Everything at once: <a href={pathHere("/db")}>/db</a>. Ranges of the numbers:{" "}
        <a href={pathHere("/stats")}>/stats</a>. Description: <a href={pathHere("/__docs")}>/__docs</a>.
      </p>
      {asked && <CollectionDialogs asked={asked} onClose={() => setAsked(undefined)} onRefused={setRefusal} />}
    </section>
  );
}

function LayersCard({ layers }: { layers: readonly string[] }) {
  return (
    <section class="card" aria-labelledby="layers">
      <h2 id="layers">Layers</h2>
      {layers.length === 0 ? (
        <p class="hint">
          None. Requests go straight to the data; list some under <code>middlewares</code>.
        </p>
      ) : (
        <ol class="layers">
          {layers.map((layer) => (
            <li key={layer}>
              <code>{layer}</code>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
