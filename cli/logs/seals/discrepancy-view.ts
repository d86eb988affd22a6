// Describes discrepancies between the log and its seals, and the verdict.
import type { Discrepancy, VerificationSummary } from '../../../core/admin/verify-log/discrepancies.ts';
import { renderHead } from '../../../core/logs/seals/seal.ts';
import { count } from '../../output/print.ts';
import { printableLine } from '../../output/printable.ts';

const MINUTE_MS = 60_000;

export function describeDiscrepancy(discrepancy: Discrepancy): string {
  switch (discrepancy.kind) {
    case 'changed':
      return `${renderName(discrepancy)} was changed: ${describeDifferences(discrepancy.differences)}`;
    case 'missing':
      return `${renderName(discrepancy)} is missing: ${discrepancy.retainedUntil === null ? 'it has no end of retention' : `its retention ends ${discrepancy.retainedUntil}`}`;
    case 'late':
      return `${renderName(discrepancy)} was put in later: ${describeLate(discrepancy)}`;
    case 'unsealed':
      return `${renderName(discrepancy)} is not sealed yet`;
    case 'inconsistent':
      return `${renderName(discrepancy)} contradicts itself: ${discrepancy.attributes.map(printableLine).join(', ')}`;
    case 'foreign':
      return `${renderName(discrepancy)} ${describeForeign(discrepancy)}`;
    case 'early':
      return `${renderName(discrepancy)} was put in before its time: at ${discrepancy.putAt}`;
    case 'erased':
      return `${renderName(discrepancy)} was erased, and no sealed change names it: ${printableLine(discrepancy.erasedBy)} does not`;
    case 'remaining':
      return `${renderName(discrepancy)} is of the person whom ${printableLine(discrepancy.erasedBy)} erased, and is there`;
    case 'erasure':
      return describeErasure(discrepancy);
    case 'seal':
      return `seal ${discrepancy.sequence} ${SEAL_PROBLEMS[discrepancy.problem]}`;
    case 'seals missing':
      return discrepancy.first === discrepancy.last
        ? `seal ${discrepancy.first} is missing`
        : `seals ${discrepancy.first} to ${discrepancy.last} are missing`;
    case 'no seals':
      return 'no seal of the organization is there: nothing shows that the log is whole';
    case 'head':
      return describeHead(discrepancy);
  }
}

function describeForeign({ organizationId, isOtherTime }: Extract<Discrepancy, { kind: 'foreign' }>): string {
  if (!isOtherTime) return 'is listed with this organization, and is of none or another';
  return `is of another organization that had this slug: verify it with --deleted ${printableLine(organizationId ?? '')}`;
}

const SEAL_PROBLEMS = {
  edited: 'was edited: its hash is not that of its content',
  unreadable: 'is unreadable: it lacks what a seal has',
  detached: 'does not follow the seal before it: one of the two was replaced',
  format: 'has a format that this release does not know: update the command',
} as const;

function renderName({ time, id }: { readonly time: string; readonly id: string }): string {
  return `${printableLine(time)} ${printableLine(id)}`;
}

function describeDifferences(differences: Extract<Discrepancy, { kind: 'changed' }>['differences']): string {
  if (differences === undefined) return 'its content differs, in attributes that its seal cannot name';
  const { changed, added, removed } = differences;
  const parts = [
    ...(changed.length === 0 ? [] : [changed.map(printableLine).join(', ')]),
    ...(added.length === 0 ? [] : [`${added.map(printableLine).join(', ')} added`]),
    ...(removed === 0 ? [] : [`${count(removed, 'attribute')} removed`]),
  ];
  return parts.join('; ');
}

function describeLate({ time, putAt, restoredBy }: Extract<Discrepancy, { kind: 'late' }>): string {
  if (putAt === null) return 'no seal has it, though those of its time are there';
  const reason =
    restoredBy === null
      ? ''
      : ` (restored by ${printableLine(restoredBy)}: compare it with the log of the function)`;
  const minutes = Math.round((Date.parse(putAt) - Date.parse(time)) / MINUTE_MS);
  return `at ${putAt}, ${count(minutes, 'minute')} after its time${reason}`;
}

function describeErasure(erasure: Extract<Discrepancy, { kind: 'erasure' }>): string {
  const { id, time, by, reason, problem, entries } = erasure;
  const name = printableLine(id);
  switch (problem) {
    case null:
      return `${entries} of a person erased at ${time} by ${printableLine(by)} (${name}): ${printableLine(reason)}`;
    case 'unsealed':
      return `the erasure ${name} is in no seal, and would explain ${entries} erased: run \`neuron logs verify\` again in a minute`;
    case 'not erased':
      return `the erasure ${name} names entries that are there, ${entries} of them: run \`neuron users erase\` again`;
    case 'unknown entries':
      return `the erasure ${name} names entries that were never in the log: ${entries}`;
    case 'erased before':
      return `the erasure ${name} names entries that an earlier change had erased: ${entries}`;
  }
}

function describeHead({ source, problem, ...head }: Extract<Discrepancy, { kind: 'head' }>): string {
  const name = `${source === 'kept' ? 'the kept head' : 'the head beside the chain'} ${renderHead(head)}`;
  switch (problem) {
    case 'absent':
      return `the chain does not contain ${name}: it has no seal ${head.sequence}, so its end was cut off or all of it was made anew`;
    case 'different':
      return `the chain does not contain ${name}: its seal ${head.sequence} has another hash, so it was made anew`;
    case 'expired':
      return `the chain cannot show that it contains ${name}: the seals of that time have expired`;
  }
}

export function describeSummary(subject: string, summary: VerificationSummary, keptHead: boolean): string {
  const { seals, whole, expired, changed, missing, late, unsealed, inconsistent, erased } = summary;
  const { erasureProblems, chainProblems } = summary;
  const { head, intact } = summary;
  const verdict = intact ? 'is intact' : 'is NOT intact';
  const numbers = [
    `${whole} whole`,
    ...(changed === 0 ? [] : [`${changed} changed`]),
    ...(missing === 0 ? [] : [`${missing} missing`]),
    ...(late === 0 ? [] : [`${late} put in later`]),
    ...(unsealed === 0 ? [] : [`${unsealed} not sealed yet`]),
    ...(inconsistent === 0 ? [] : [`${inconsistent} out of place`]),
    ...(erased === 0 ? [] : [`${erased} erased`]),
    ...(erasureProblems === 0 ? [] : [`${count(erasureProblems, 'problem')} of erasures`]),
    ...(expired === 0 ? [] : [`${expired} expired`]),
    ...(chainProblems === 0
      ? []
      : [count(chainProblems, 'problem of the chain').replace(/chains$/, 'chain')]),
  ];
  const where = head === undefined ? 'no seal' : `${count(seals, 'seal')}, head ${renderHead(head)}`;
  const hint =
    keptHead || !intact
      ? ''
      : '\nOnly a head that was kept elsewhere shows that nobody made all of it anew: pass --head.';
  return `The log of ${subject} ${verdict}: ${numbers.join(', ')}; ${where}.${hint}`;
}
