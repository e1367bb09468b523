/** Creates, renames and removes whole collections and singletons. */
export interface CollectionControl {
  list(): Promise<{ readonly name: string; readonly kind: "collection" | "singleton"; readonly count: number }[]>;
  /** Creates an empty one. */
  create(name: string, kind?: "collection" | "singleton"): Promise<void>;
  rename(name: string, to: string): Promise<void>;
  /** Removes one with its data. */
  remove(name: string): Promise<void>;
}
