import type { Component, ComponentType, VNode } from "preact";

/** A component that is rendered again only if one of its properties has changed. */
export function memo<Props extends object>(render: (props: Props) => VNode): ComponentType<Props> {
  function Memo(this: Component<Props>, props: Props): VNode {
    // Once only: hooks wrap it at the first render, so that their own state draws the component again.
    this.shouldComponentUpdate ??= (next) => !areSame(this.props as Props, next as Props);
    return render(props);
  }
  return Memo as ComponentType<Props>;
}

function areSame<Props extends object>(before: Props, after: Props): boolean {
  const names = Object.keys(after) as (keyof Props)[];
  return names.length === Object.keys(before).length && names.every((name) => Object.is(before[name], after[name]));
}
