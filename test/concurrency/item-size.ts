// The size of an item as DynamoDB counts it (amazondynamodb/latest/developerguide/CapacityUnitCalculations.html).

/** Bytes of an item: its names and its values. Of what the log holds; no sets and no bytes. */
export function itemSize(item: Readonly<Record<string, unknown>>): number {
  return Object.entries(item)
    .filter(([, value]) => value !== undefined)
    .reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value), 0);
}

function valueSize(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  // A byte for every two digits that count, and one more.
  if (typeof value === 'number') return Math.ceil(String(value).replaceAll(/[-.]/g, '').length / 2) + 1;
  if (typeof value !== 'object' || value === null) return 1;
  const sizes = Array.isArray(value) ? value.map(valueSize) : [itemSize({ ...value })];
  return 3 + Object.keys(value).length + sizes.reduce((sum, size) => sum + size, 0);
}
