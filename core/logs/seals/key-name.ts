// The name of an item of the log: the time and the id in its sort key.

/** Time and id of an item, from its sort key; the time contains no `#`. */
export function nameOfKey(sk: string): { readonly time: string; readonly id: string } {
  const at = sk.indexOf('#');
  return at === -1 ? { time: '', id: sk } : { time: sk.slice(0, at), id: sk.slice(at + 1) };
}
