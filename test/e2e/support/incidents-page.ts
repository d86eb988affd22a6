// docs/incidents.md as a test reads it: the commands of each incident, and the lines that stand below them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './command.ts';

/** A command of the page, with the lines of its output that the page shows. */
export interface PageCommand {
  readonly command: string;
  readonly shown: readonly string[];
}

const PROMPT = '$ ';

/** The commands by the heading of their incident, in the order of the page. */
export function readIncidents(): ReadonlyMap<string, readonly PageCommand[]> {
  const page = readFileSync(join(ROOT, 'docs/incidents.md'), 'utf8');
  return new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.split('\n', 1)[0] ?? '', readCommands(section)]),
  );
}

function readCommands(section: string): PageCommand[] {
  const blocks = [...section.matchAll(/^```text\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split(/^(?=\$ )/m))
    .filter((part) => part.startsWith(PROMPT))
    .map((part) => {
      const [first = '', ...shown] = part.trimEnd().split('\n');
      return { command: first.slice(PROMPT.length), shown };
    });
}

/**
 * The first line of the page that the output does not have, in this order; undefined where it has all of them. `…` stands for any text, a
 * line of it alone for any lines, and blanks are compared as one, since the widths of columns follow what is in them.
 */
export function missingLine(shown: readonly string[], output: string): string | undefined {
  const lines = output.split('\n').map(withoutWidths);
  let from = 0;
  return shown.map(withoutWidths).find((line) => {
    if (line === '' || line === '…') return false;
    const pattern = new RegExp(`^${line.split('…').map(escaped).join('.*')}$`);
    const at = lines.findIndex((candidate, index) => index >= from && pattern.test(candidate));
    from = at + 1;
    return at === -1;
  });
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const withoutWidths = (line: string) => line.trim().replaceAll(/\s+/g, ' ');
