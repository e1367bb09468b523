/** The method of a request, coloured by what it does; short in narrow lists. */
export function Method({ name, isShort = false }: { name: string; isShort?: boolean }) {
  const shown = isShort && name.length > 5 ? name.slice(0, 3) : name;
  return <span class={`method ${name.toLowerCase()}`}>{shown}</span>;
}
