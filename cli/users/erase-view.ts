// Describes an erasure, or what it would erase, and what it does not reach.
import type { ErasedCounts } from '../../core/admin/erase/steps.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import type { PersonalBlock } from './blocks.ts';
import { describeOtherPlaces, listOtherPlaces } from './other-places.ts';
import type { FoundPerson } from './person.ts';

export interface ErasureReport {
  readonly found: FoundPerson;
  readonly counts: ErasedCounts;
  readonly blocks: { readonly removed: number; readonly kept: readonly PersonalBlock[] };
  readonly texts: readonly string[];
  readonly value: object;
}

/** Names a running block by its place: its end is that of the person's name there. */
export function reportErasure(
  { found, counts, blocks, texts, value }: ErasureReport,
  ports: Ports,
  out: Output,
): void {
  const { organization, persons } = found;
  const notReached = listOtherPlaces(ports.clock.now(), ports.stack.local !== undefined);
  const kept = blocks.kept.map(({ target, block: { until } }) => ({ target, until }));
  const byDigest = persons.length > 1;
  out.value(
    {
      organization: organization.slug,
      ...value,
      byDigest,
      ...counts,
      blocks: { removed: blocks.removed, kept },
      notReached,
    },
    [
      ...texts,
      ...(byDigest ? ['Looked for the name, and for its digest under `usernameAs: hmac`.'] : []),
      ...kept.map(
        ({ target, until }) =>
          `The block in ${target} stays with the name until ${until}. Run the command again then, or \`neuron unblock\` it before.`,
      ),
      describeOtherPlaces(notReached),
    ].join('\n'),
  );
}

export function describeCounts(counts: ErasedCounts): string {
  const { entries, usage, cachedAnswers, keptAnswers, counters } = counts;
  return [
    `${entries} log entries`,
    `${usage} rows of usage`,
    `${cachedAnswers} cached answers`,
    `${keptAnswers} items of kept answers`,
    `${counters} counters of limits`,
  ].join(', ');
}
