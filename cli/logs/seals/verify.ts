// `neuron logs verify`: shows that no entry of the log was changed, removed or added later.
import { resolve } from 'node:path';
import type { Discrepancy } from '../../../core/admin/verify-log/discrepancies.ts';
import { parseOrganization } from '../../command/arguments.ts';
import { argument, command } from '../../command/command.ts';
import { EXIT, type ExitCode } from '../../output/failure.ts';
import type { Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import { checkApplicable, LOG_OPTIONS, type LogOptions, toPeriod } from '../log-options.ts';
import { findChain, WHOLE_LOG } from './find-chain.ts';
import { printVerification } from './print-verification.ts';
import { isOfArchive, SOURCE_OPTIONS, type SourceHead, verifyArchive } from './verify-archive.ts';
import { isManifest, verifyExport } from './verify-export.ts';
import { verifyTable } from './verify-table.ts';

/** Everything that is stored: the longest retention is 365 days. */
const WHOLE_MS = 366 * 86_400_000;

export const logsVerify = command({
  name: 'verify',
  description: 'Checks the log against its seals: what was changed, is missing or was put in later.',
  arguments: {
    log: argument(
      '[organization]',
      'the organization, or the manifest of an export; without it, the changes of the whole service',
      (text) => (isManifest(text) ? text : parseOrganization(text)),
    ),
  },
  options: SOURCE_OPTIONS,
  inherited: LOG_OPTIONS,
  help: [
    'The options --since, --from, --to and --deleted of `neuron logs` apply as well (default: everything that is stored).',
    '--from FOLDER or --from s3://BUCKET/FOLDER verifies an archive, of the days --first-day to --to (default: the oldest one to yesterday).',
    'Exits with 1 when something is wrong. With --json, every discrepancy is one line, and the last line is the summary.',
  ].join('\n'),
  async run({ log, head, firstDay, ...options }, session) {
    const { terminal, out, connect } = session;
    if (isOfArchive({ firstDay, options })) return verifyArchive({ log, head, firstDay, options }, session);
    if (isManifest(log)) {
      // An export has its own period.
      checkApplicable(options, [], WHOLE_LOG);
      return verifyExport(resolve(terminal.folder, log), head, out);
    }
    checkApplicable(options, ['since', 'from', 'to', 'deleted'], WHOLE_LOG);
    return verify({ organization: log, head, options, ports: await connect(), out });
  },
});

interface VerifyInput {
  readonly organization: string | undefined;
  readonly head: SourceHead;
  readonly options: LogOptions;
  readonly ports: Pick<Ports, 'store' | 'changes' | 'seals' | 'storedEntries' | 'secretReader' | 'clock'>;
  readonly out: Output;
}

async function verify({ head, options, ports, out, ...input }: VerifyInput): Promise<ExitCode> {
  const nowMs = ports.clock.now();
  const { since, from, to, deleted } = options;
  const range = since === undefined && from === undefined ? { since: WHOLE_MS, to } : { since, from, to };
  const period = toPeriod({ ...range, changes: true }, nowMs);
  const found = await findChain(input.organization, deleted, ports, out);
  const others = new Set<string>();
  const noteOther = (discrepancy: Discrepancy) => {
    if (discrepancy.kind === 'foreign' && discrepancy.isOtherTime && discrepancy.organizationId !== null)
      others.add(discrepancy.organizationId);
  };
  const isHeadKept = head !== undefined;
  const own = { ...found, head, period, nowMs, foreign: true };
  const isIntact = await printVerification(
    await verifyTable(own, ports, out),
    { ...found, isHeadKept, onFound: noteOther },
    out,
  );
  // Changes of an earlier organization of the slug are listed with this one: they must be whole in its chain.
  let areOthersIntact = true;
  for (const chain of others) {
    const other = { ...found, chain, subject: `${found.subject} (${chain})` };
    const run = await verifyTable({ ...own, ...other, head: undefined, foreign: false }, ports, out);
    if (!(await printVerification(run, { ...other, isHeadKept }, out))) areOthersIntact = false;
  }
  return isIntact && areOthersIntact ? EXIT.done : EXIT.failed;
}
