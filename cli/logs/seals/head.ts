// `neuron logs head`: prints the newest link of the chain, to be kept elsewhere.
import type { Command } from 'commander';
import { renderHead } from '../../../core/logs/seals/seal.ts';
import { CommandFailure } from '../../output/failure.ts';
import type { Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import type { Bind } from '../../session/session.ts';
import { checkOrganization } from '../../session/target.ts';
import type { LogOptions } from '../log-options.ts';
import { findChain } from './find-chain.ts';
import { checkSelection } from './selection.ts';

export function registerLogsHead(logs: Command, bind: Bind): void {
  logs
    .command('head')
    .description('Prints the head of the chain of seals; keep it elsewhere, for `neuron logs verify --head`.')
    .argument(
      '[organization]',
      'the organization; without it, the changes of the whole service',
      checkOrganization,
    )
    .action(
      bind(async (session, { args: [organization] }) => {
        const selection = logs.opts<LogOptions>();
        checkSelection(selection, ['deleted']);
        await printHead(organization, selection.deleted, await session.connect(), session.out);
      }),
    );
}

async function printHead(
  organization: string | undefined,
  deleted: string | undefined,
  ports: Pick<Ports, 'store' | 'changes' | 'seals' | 'clock'>,
  out: Output,
): Promise<void> {
  const { chain, subject } = await findChain(organization, deleted, ports, out);
  const head = await ports.seals.read(chain);
  if (head === undefined)
    throw new CommandFailure({
      what: `The log of ${subject} has no seals yet.`,
      why: 'An entry is sealed some seconds after it was put.',
    });
  const { sequence, hash, sealedAtMs } = head;
  const value = { organization: organization ?? null, chain, head: renderHead(head) };
  out.value({ ...value, sequence, hash, sealedAt: new Date(sealedAtMs).toISOString() }, renderHead(head));
}
