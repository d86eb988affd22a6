// Shows the difference of two texts side by side, or below each other on a narrow screen.
import { YamlLine } from './yaml.tsx';

/** Lines in sequence that are equal, added or removed, as the package `diff` returns them. */
interface Run {
  readonly value: string;
  readonly added?: boolean;
  readonly removed?: boolean;
}

/** A line on each side. */
interface Pair {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isSame: boolean;
}

export function Difference({
  changes,
  before,
  after,
  of,
}: {
  readonly changes: readonly Run[];
  readonly before: string;
  readonly after: string;
  /** Where more than one is shown. */
  readonly of?: string | undefined;
}) {
  const pairs = toPairs(changes);
  if (pairs.every(({ isSame }) => isSame)) return <p class="detail">They are equal.</p>;
  return (
    <div
      class="difference"
      role="region"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
      tabIndex={0}
      aria-label={`What differs between ${before} and ${after}${of === undefined ? '' : `: ${of}`}`}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{before}</th>
            <th scope="col">{after}</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair, index) => (
            <tr key={index}>
              <Side line={pair.before} sign={pair.isSame ? '' : '−'} tone={pair.isSame ? '' : 'removed'} />
              <Side line={pair.after} sign={pair.isSame ? '' : '+'} tone={pair.isSame ? 'same' : 'added'} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Side({
  line,
  sign,
  tone,
}: {
  readonly line: string | undefined;
  readonly sign: string;
  readonly tone: string;
}) {
  if (line === undefined) return <td class="none" />;
  return (
    <td class={tone}>
      <span class="sign">{sign}</span>
      <YamlLine line={line} />
    </td>
  );
}

/** Puts removed lines beside the added ones that follow them. */
function toPairs(changes: readonly Run[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let removed: readonly string[] = [];
  const flush = (added: readonly string[]) => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      pairs.push({ before: removed[index], after: added[index], isSame: false });
    removed = [];
  };
  for (const change of changes) {
    const lines = change.value.replace(/\n$/, '').split('\n');
    if (change.removed) removed = lines;
    else if (change.added) flush(lines);
    else {
      flush([]);
      pairs.push(...lines.map((line) => ({ before: line, after: line, isSame: true })));
    }
  }
  flush([]);
  return pairs;
}
