// Renders the difference of two texts, line by line.
import { structuredPatch } from 'diff';
import type { Paint } from './paint.ts';
import { printableLine } from './printable.ts';

/** Lines that differ, marked `+` and `-`, with `context` unchanged lines around them; `…` stands for omitted lines in between. */
export function differingLines(before: string, after: string, context: number): readonly string[] {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context });
  return hunks.flatMap(({ lines }, index) => (index === 0 ? lines : ['…', ...lines]));
}

/** In the colour of its mark, with control characters escaped. */
export function paintDifference(line: string, paint: Paint): string {
  const harmless = printableLine(line);
  if (line.startsWith('+')) return paint('green', harmless);
  if (line.startsWith('-')) return paint('red', harmless);
  return paint('dim', harmless);
}
