import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Lets the browser say at a control what is wrong with it, when its form is submitted. Empty: nothing is. */
export function useValidity(problem: string): RefObject<HTMLInputElement> {
  const control = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => control.current?.setCustomValidity(problem), [problem]);
  return control;
}
