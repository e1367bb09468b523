import { useState } from "preact/hooks";
import { findUsers, tokenOf } from "../api/look-as.ts";
import { lastOf, refusalIn } from "../api/resource.ts";
import { useOverview } from "../api/use-overview.ts";
import { useResource } from "../api/use-resource.ts";
import { CopyButton } from "../ui/copy-button.tsx";

/** More users than this need a search. */
const MAX_SHOWN = 8;

/** The users who can sign in, each with a button that copies a token of theirs. */
export function UsersCard() {
  const { layers } = useOverview();
  return layers.includes("sign-in") ? <Users /> : null;
}

function Users() {
  const [search, setSearch] = useState("");
  const [resource] = useResource((signal) => findUsers(search, signal), [search]);
  const { users = [], total = 0 } = lastOf(resource) ?? {};
  const refusal = refusalIn(resource);
  const shown = users.slice(0, MAX_SHOWN);
  return (
    <section class="card stack" aria-labelledby="users">
      <h2 id="users">Users</h2>
      <p class="hint">{refusal?.message ?? "Copy an access token to send requests as one of them."}</p>
      {(total > MAX_SHOWN || search !== "") && (
        <input
          type="search"
          aria-label="Search users"
          placeholder="Search"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ul class="sign-in-users">
        {shown.map(({ name, roles }) => (
          <li key={name}>
            <span>
              <strong>{name}</strong> <span class="soft">{roles.join(", ")}</span>
            </span>
            <CopyButton text={() => tokenOf(name)} label="Token" name={`Token of ${name}`} />
          </li>
        ))}
      </ul>
      {total > shown.length && (
        <p class="hint">
          {shown.length} of {total} users.
        </p>
      )}
    </section>
  );
}
