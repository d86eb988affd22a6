// Places that an erasure cannot reach, and when each of it ends.
import { toIso } from '../../core/time/iso.ts';

export interface OtherPlace {
  readonly place: string;
  readonly until: string;
}

const DAY_MS = 86_400_000;
/** Point-in-time recovery reaches back this far (amazondynamodb/latest/developerguide/Point-in-time-recovery.html). */
const BACKUP_DAYS = 35;
/** Batches that are kept this long. */
const BATCH_DAYS = 14;

export function listOtherPlaces(nowMs: number, isLocal: boolean): readonly OtherPlace[] {
  const day = (days: number) => toIso(nowMs + days * DAY_MS).slice(0, 10);
  if (isLocal) return [{ place: 'lines of the local run', until: 'its folder is deleted' }, ...ELSEWHERE];
  return [
    {
      place: 'lines of the functions and the access log in CloudWatch',
      until: 'logRetentionDays of the stage is over',
    },
    { place: 'point-in-time recovery of the tables, where the stage has it', until: day(BACKUP_DAYS) },
    { place: 'the archive, where the stage has one', until: 'the lock of its bucket ends' },
    { place: 'batches that the rollup function gave up', until: day(BATCH_DAYS) },
    ...ELSEWHERE,
  ];
}

const ELSEWHERE: readonly OtherPlace[] = [
  { place: 'tokens of feedback that are out, whose use is a new entry', until: 'feedback.within is over' },
  { place: 'exports of the log, and cases that were made of it', until: 'who has them deletes them' },
  { place: 'events on the bus of the stage, with ids of executions', until: 'its targets delete them' },
  { place: 'spans, where the stage sends traces', until: 'the retention of the endpoint is over' },
  { place: 'prompts at the providers', until: 'their terms say' },
];

export function describeOtherPlaces(places: readonly OtherPlace[]): string {
  return ['Not reached:', ...places.map(({ place, until }) => `  ${place}: until ${until}`)].join('\n');
}
