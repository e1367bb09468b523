/** Line icons on a grid of 24, drawn with the colour of the text around them. */
const PATHS = {
  overview: "M4 5h7v6H4zM13 5h7v3h-7zM13 11h7v8h-7zM4 14h7v5H4z",
  data: "M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zm0 0v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3",
  request: "M4 12h13M12 6l6 6-6 6M20 4v16",
  traffic: "M3 12h4l3-8 4 16 3-8h4",
  snapshots: "M4 8h3l2-3h6l2 3h3v11H4zM12 17a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z",
  sandboxes: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  lab: "M9 3h6M10 3v6l-5.5 9.5A1.7 1.7 0 0 0 6 21h12a1.7 1.7 0 0 0 1.5-2.5L14 9V3M7.5 15h9",
  record: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  hook: "M12 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM12 7v8a4 4 0 0 1-8 0v-2M2 15l2-2.5L6 15M15 13h6M18 10l3 3-3 3",
  agent: "M12 4v3M6 7h12v11H6zM9.5 11.5v1.5M14.5 11.5v1.5M3 11v4M21 11v4M10 21h4",
  history: "M4 5v4h4M4.6 9A8 8 0 1 1 4 13.5M12 8v4.5l3 1.5",
  docs: "M12 6.5C10.5 5 8 4.5 4 4.5v13c4 0 6.5.5 8 2 1.5-1.5 4-2 8-2v-13c-4 0-6.5.5-8 2zM12 6.5v13",
  back: "M20 12H5M11 6l-6 6 6 6",
  page: "M6 3h8l4 4v14H6zM14 3v4h4",
  rewrite: "M4 7h9a4 4 0 0 1 4 4v6M13 13l4 4 4-4",
  layers: "M12 4l9 4.5-9 4.5-9-4.5zM3 12.5l9 4.5 9-4.5M3 16.5l9 4.5 9-4.5",
  interceptor: "M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16",
  fault: "M13 3L5 14h6l-1 7 8-11h-6z",
  plugin: "M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  sparkle:
    "M11 4l1.6 4.4L17 10l-4.4 1.6L11 16l-1.6-4.4L5 10l4.4-1.6zM18 14l.9 2.1L21 17l-2.1.9L18 20l-.9-2.1L15 17l2.1-.9z",
  copy: "M9 9h10v11H9zM5 15V4h10",
  check: "M5 12.5l4.5 4.5L19 7.5",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5",
  undo: "M9 7l-5 5 5 5M4 12h10a6 6 0 0 1 6 6v1",
  redo: "M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6v1",
  pencil: "M5 19l1-4L16 5l3 3L9 18zM14 7l3 3",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  pause: "M9 6v12M15 6v12",
  play: "M8 5l11 7-11 7z",
  repeat: "M4 11a8 8 0 0 1 14-4.5L20 8M20 4v4h-4M20 13a8 8 0 0 1-14 4.5L4 16M4 20v-4h4",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  up: "M12 19V6M6 12l6-6 6 6",
  down: "M12 5v13M6 12l6 6 6-6",
  link: "M9 15l6-6M10 6h8v8",
  key: "M14 10a4 4 0 1 0-3.8 2.8L12 15h3v3h3v-3.5l-4.2-3.3z",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.4M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4",
  moon: "M19 14.5A7.5 7.5 0 1 1 9.5 5a6 6 0 0 0 9.5 9.5z",
  keyboard: "M3 7h18v10H3zM7 10.5h.01M11 10.5h.01M15 10.5h.01M8 14h8",
  columns: "M4 5h16v14H4zM10 5v14M15 5v14",
  more: "M5.6 12a.4.4 0 1 0 .8 0 .4.4 0 0 0-.8 0M11.6 12a.4.4 0 1 0 .8 0 .4.4 0 0 0-.8 0M17.6 12a.4.4 0 1 0 .8 0 .4.4 0 0 0-.8 0",
  clock: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 8v4.5l3 1.5",
  unplugged: "M4 20l4-4M20 4l-4 4M9.5 12.5l-2 2a2.8 2.8 0 0 0 4 4l1.5-1.5M14.5 11.5l2-2a2.8 2.8 0 0 0-4-4L11 7",
  braces: "M9 4c-3 0-2 3-2 5s-1 3-3 3c2 0 3 1 3 3s-1 5 2 5M15 4c3 0 2 3 2 5s1 3 3 3c-2 0-3 1-3 3s1 5-2 5",
  unfold: "M8 10l4-4 4 4M8 14l4 4 4-4",
  left: "M19 12H6M12 6l-6 6 6 6",
  right: "M5 12h13M12 6l6 6-6 6",
  sort: "M7 5v14M4 16l3 3 3-3M13 7h8M13 12h6M13 17h3",
  width: "M3 5v14M21 5v14M7 12h10M10 9l-3 3 3 3M14 9l3 3-3 3",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  hidden:
    "M4 4l16 16M10 5.7A9.6 9.6 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.8 3.5M6.3 7.3A17 17 0 0 0 2.5 12S6 18.5 12 18.5a9.5 9.5 0 0 0 4.4-1.1",
  import: "M12 4v11M7 10l5 5 5-5M4 20h16",
  export: "M12 16V5M7 10l5-5 5 5M4 20h16",
  filter: "M4 6h16M7 12h10M10 18h4",
  duplicate: "M9 9h10v11H9zM5 15V4h10M14 12v5M11.5 14.5h5",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
