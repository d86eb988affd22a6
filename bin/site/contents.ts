// The contents of the site: the tables of docs/README.md.

/** A part of the documentation, such as "Call a neuron", and its pages, whose addresses begin at the folder of docs. */
export interface Part {
  readonly title: string;
  readonly pages: readonly { readonly title: string; readonly page: string }[];
}

/** The parts in the order of the tables; the head of a table is the title of its part, the heading of a page that of the page. */
export function contentsOf(index: string, read: (page: string) => string): readonly Part[] {
  return index
    .split(/\n(?=\| [^[\n]+ \| \|\n)/)
    .slice(1)
    .map((table) => ({
      title: /^\| (.+?) \|/.exec(table)?.[1] ?? '',
      pages: [...table.matchAll(/^\| \[[^\]]+\]\(([^)]+)\)/gm)].map(([, page = '']) => ({
        title: /^# (.+)$/m.exec(read(page))?.[1]?.replaceAll('`', '') ?? page,
        page,
      })),
    }));
}
