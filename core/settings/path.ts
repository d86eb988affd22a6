// Paths into settings documents.

/** Member names and list indexes, from the root of a document or of a part of it. */
export type Path = readonly (string | number)[];

/** `flow[0].callModel.model`; members that are no plain words are quoted. Empty for the document itself. */
export function renderPath(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      if (!/^[A-Za-z_][\w-]*$/.test(part)) return `[${JSON.stringify(part)}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join('');
}
