// Describes problems of an archive, and the verdict.
import type { ArchiveProblem, ArchiveSummary } from '../../../core/admin/verify-archive/archive-problems.ts';
import { count } from '../../output/print.ts';
import { printableLine } from '../../output/printable.ts';
import { describeDiscrepancy } from './discrepancy-view.ts';

export function describeArchiveProblem(problem: ArchiveProblem): string {
  switch (problem.kind) {
    case 'day missing':
      return `${problem.day} is missing: it has no manifest`;
    case 'day unreadable':
      return `the manifest of ${problem.day} cannot be read`;
    case 'object missing':
      return `${printableLine(problem.name)} is missing`;
    case 'object changed':
      return `${printableLine(problem.name)} was changed: it is not the object that its day describes`;
    case 'foreign object':
      return `${printableLine(problem.name)} is foreign: no day names it`;
    case 'head':
      return `the chain ${printableLine(problem.chain)} does not end on ${problem.day} as its manifest says`;
    case 'lines':
      return `${printableLine(problem.name)} has ${count(problem.lines, 'line')} that no seal explains`;
    case 'sealed':
      return `${printableLine(problem.chain)}: ${describeDiscrepancy(problem.found)}`;
    case 'kept head':
      return 'no chain contains the kept head: the archive was made anew, or ends before it';
    case 'empty':
      return 'there is no day of an archive';
  }
}

export function describeArchive(place: string, summary: ArchiveSummary, isHeadKept: boolean): string {
  const { intact, days, objects, seals, whole, erased, erasedLater, expired, problems, firstDay, lastDay } =
    summary;
  const numbers = [
    `${whole} whole`,
    ...(erased === 0 ? [] : [`${erased} erased before they were archived`]),
    ...(expired === 0 ? [] : [`${expired} expired before they were archived`]),
    ...(problems === 0 ? [] : [count(problems, 'problem')]),
  ];
  const period =
    firstDay === undefined
      ? ''
      : `\nIt has ${firstDay} to ${lastDay}: that earlier days are missing shows only where --first-day names the first one.`;
  const later =
    erasedLater === 0
      ? ''
      : `\n${erasedLater} of persons who were erased from the tables since: not erased here until the lock of the objects ends.`;
  const hint =
    isHeadKept || !intact
      ? ''
      : '\nOnly a head that was kept elsewhere shows that nobody made all of it anew: pass --head.';
  const parts = [count(days, 'day'), count(objects, 'object'), count(seals, 'seal')].join(', ');
  return `The archive in ${place} ${intact ? 'is intact' : 'is NOT intact'}: ${numbers.join(', ')}; ${parts}.${later}${period}${hint}`;
}
