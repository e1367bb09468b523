/** `AsyncDisposable`, where the types of a project have it: `lib` of a page often ends before it. */
export type Disposal = SymbolConstructor extends { readonly asyncDispose: infer Name extends symbol }
  ? Readonly<Record<Name, () => Promise<void>>>
  : object;
