// The parts of the tables in which something of a person may be, as an operator reads them.
import type { PersonValue } from '../../data/values.ts';

export interface PersonProps {
  readonly organization: string;
  readonly user: string;
  readonly report: PersonValue;
  /** Called after something was erased. */
  readonly onDone: () => void;
}

export interface Place {
  readonly place: string;
  readonly count: number;
  readonly keptFor: string;
}

/** In the order in which an erasure names them. */
export function listPlaces(report: PersonValue): readonly Place[] {
  return [
    { place: 'Log entries, feedback included', count: report.entries, keptFor: 'as logging.retention says' },
    { place: 'Rows of usage', count: report.usage, keptFor: 'as the entries' },
    { place: 'Cached answers', count: report.cachedAnswers, keptFor: 'as caching.ttl says, at most 7 days' },
    { place: 'Kept answers of idempotency keys', count: report.keptAnswers, keptFor: '24 hours' },
    { place: 'Counters of limits', count: report.counters, keptFor: 'until the window ends' },
    ...listBlocks(report),
  ];
}

/** A block names the person; most people have none. */
function listBlocks({ blocks: { removed, kept } }: PersonValue): readonly Place[] {
  const ended = { place: 'Blocks that ended', count: removed, keptFor: 'erased as well' };
  const running = { place: 'Running blocks', count: kept.length, keptFor: 'not erased before they end' };
  return [ended, running].filter(({ count }) => count > 0);
}

export function isKept(report: PersonValue): boolean {
  return listPlaces(report).some(({ count }) => count > 0);
}
