import { atOnce } from "../../base/slices.ts";
import { exported } from "../memory/live-data.ts";
import type { State } from "../memory/state.ts";
import { type KeptMember, keepMember, readKeptMember } from "./kept-member.ts";

/** A whole State as one value. */
export interface KeptData {
  readonly version: number;
  readonly epoch: string;
  readonly idKeys: ReadonlyMap<string, string>;
  readonly members: readonly KeptMember[];
}

export function keepData(state: State): KeptData {
  const { version, epoch } = state;
  return { version, epoch, idKeys: state.idKeys.kept, members: keepMembers(state) };
}

export function keepMembers(state: State): KeptMember[] {
  return exported(state).map((member) => atOnce(keepMember(member)));
}

/** `settings` is any state with the settings of this start. */
export function readKeptData({ members, ...data }: KeptData, settings: State): State {
  return settings.restore({ ...data, members: members.map(readKeptMember) });
}
