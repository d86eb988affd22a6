// `neuron logs verify`: shows that nothing in the log was changed, taken out or put in later.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { verifyLog } from '../../../core/admin/verify-log/verify-log.ts';
import { EXIT, type ExitCode } from '../../output/failure.ts';
import type { Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import type { Bind } from '../../session/session.ts';
import { checkOrganization } from '../../session/target.ts';
import { type LogOptions, toPeriod } from '../log-options.ts';
import { findChain } from './find-chain.ts';
import { createProgress, printVerification } from './print-verification.ts';
import { type KeptHead, readHead, requireHeads } from './required-heads.ts';
import { checkSelection } from './selection.ts';
import { isManifest, verifyExport } from './verify-export.ts';

/** Everything that is stored: the longest retention is 365 days. */
const WHOLE_MS = 366 * 86_400_000;

interface VerifyOptions {
  readonly head?: KeptHead;
}

interface Options {
  readonly args: { readonly organization: string | undefined };
  readonly options: VerifyOptions & LogOptions;
  readonly ports: Pick<Ports, 'store' | 'changes' | 'seals' | 'storedEntries' | 'clock'>;
  readonly out: Output;
}

export function registerLogsVerify(logs: Command, bind: Bind): void {
  logs
    .command('verify')
    .description('Checks the log against its seals: what was changed, is missing or was put in later.')
    .argument(
      '[organization]',
      'the organization, or the manifest of an export; without it, the changes of the whole service',
      checkLog,
    )
    .option('--head <head>', 'a head kept from `neuron logs head`, which the chain must contain', readHead)
    .addHelpText(
      'after',
      '\nThe options --since, --from, --to and --deleted of `neuron logs` apply as well (default: everything that is stored).' +
        '\nExits with 1 when something is wrong. With --json, every discrepancy is one line, and the last line is the summary.',
    )
    .action(
      bind<VerifyOptions>(async (session, { args: [organization], options }) => {
        // Options of the parent command are parsed there.
        const selection = logs.opts<LogOptions>();
        if (isManifest(organization)) {
          // The export has its period.
          checkSelection(selection, []);
          const path = resolve(session.terminal.folder, organization);
          return verifyExport(path, options.head, session.out);
        }
        checkSelection(selection, ['since', 'from', 'to', 'deleted']);
        return verify({
          args: { organization },
          options: { ...options, ...selection },
          ports: await session.connect(),
          out: session.out,
        });
      }),
    );
}

/** For commander. */
function checkLog(text: string): string {
  return isManifest(text) ? text : checkOrganization(text);
}

/** Prints each discrepancy as it is found, and the verdict last. */
async function verify({ args, options, ports, out }: Options): Promise<ExitCode> {
  const { seals, storedEntries, clock } = ports;
  const nowMs = clock.now();
  const { since, from, to, deleted, head: kept } = options;
  const range = since === undefined && from === undefined ? { since: WHOLE_MS, to } : { since, from, to };
  const period = toPeriod({ ...range, changes: true }, nowMs);
  const { chain, organization, subject } = await findChain(args.organization, deleted, ports, out);
  // Read first: what is sealed while the chain is read comes after it.
  const heads = await requireHeads(chain, kept, seals);
  const run = verifyLog(
    { chain, ...period, nowMs, heads },
    {
      seals: seals.seals(chain),
      entries: storedEntries.list({ organizationId: chain, organization, ...period, nowMs }),
      find: (position) => storedEntries.find(position),
    },
    createProgress(clock, out),
  );
  const isIntact = await printVerification(
    run,
    { chain, organization, subject, isHeadKept: kept !== undefined },
    out,
  );
  return isIntact ? EXIT.done : EXIT.failed;
}
