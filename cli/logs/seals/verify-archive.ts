// Verifies an archive of the log: in a folder, as `aws s3 sync` copies it, or in its bucket.
import { resolve } from 'node:path';
import { systemClock } from '../../../adapters/platform/clock.ts';
import { verifyArchive as findProblems } from '../../../core/admin/verify-archive/verify-archive.ts';
import { toIso } from '../../../core/time/iso.ts';
import { option } from '../../command/command.ts';
import { EXIT, type ExitCode, usageFailure } from '../../output/failure.ts';
import type { Session } from '../../session/session.ts';
import { checkApplicable, type LogOptions } from '../log-options.ts';
import { type Moment, parseMoment } from '../moment.ts';
import { openBucket, openFolder } from './archive-source.ts';
import { describeArchive, describeArchiveProblem } from './archive-view.ts';
import { WHOLE_LOG } from './find-chain.ts';
import { type KeptHead, parseKeptHead } from './required-heads.ts';

/** Beside those of `neuron logs`. */
export const SOURCE_OPTIONS = {
  head: option(
    '--head <head>',
    'a head kept from `neuron logs head`, which the chain must contain',
    parseKeptHead,
  ),
  firstDay: option('--first-day <day>', 'the day with which an archive must begin', parseMoment),
};

export type SourceHead = KeptHead | undefined;

interface PassedOptions {
  readonly firstDay: Moment | undefined;
  readonly options: LogOptions;
}

export function isOfArchive({ firstDay, options }: PassedOptions): boolean {
  return options.from?.place !== undefined || firstDay !== undefined;
}

/** Throws `CommandFailure` for options that do not apply. */
export function verifyArchive(
  {
    log,
    head,
    firstDay,
    options,
  }: PassedOptions & { readonly log: string | undefined; readonly head: SourceHead },
  session: Session,
): Promise<ExitCode> {
  const place = options.from?.place;
  if (place === undefined)
    throw usageFailure('--first-day is of archives.', 'Pass --from FOLDER or --from s3://BUCKET/FOLDER.');
  if (log !== undefined)
    throw usageFailure('An archive has its own organizations.', `Omit ${log}, or --from.`);
  checkApplicable(options, ['from', 'to'], WHOLE_LOG);
  const nowMs = systemClock.now();
  const period = { fromMs: firstDay?.begin(nowMs), toMs: options.to?.end(nowMs) };
  return printArchiveVerification({ place, head, ...period }, session);
}

interface ArchiveInput {
  /** `s3://BUCKET/FOLDER`, or a folder. */
  readonly place: string;
  readonly head: KeptHead | undefined;
  /** The end of the period, exclusive, in milliseconds; by default all of it. */
  readonly toMs: number | undefined;
  readonly fromMs: number | undefined;
}

async function printArchiveVerification(
  { place, head, fromMs, toMs }: ArchiveInput,
  { out, terminal, options }: Pick<Session, 'terminal' | 'options' | 'out'>,
): Promise<ExitCode> {
  const source = place.startsWith('s3://')
    ? await openBucket(place, options)
    : openFolder(resolve(terminal.folder, place));
  const run = findProblems(
    {
      nowMs: systemClock.now(),
      head,
      ...(fromMs === undefined ? {} : { firstDay: toIso(fromMs).slice(0, 10) }),
      ...(toMs === undefined ? {} : { lastDay: toIso(toMs - 1).slice(0, 10) }),
    },
    source,
  );
  for (;;) {
    const { done, value } = await run.next();
    if (!done) {
      out.value(value, describeArchiveProblem(value));
      continue;
    }
    out.value({ kind: 'summary', place, ...value }, describeArchive(place, value, head !== undefined));
    return value.intact ? EXIT.done : EXIT.failed;
  }
}
