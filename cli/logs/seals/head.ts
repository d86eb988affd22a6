// `neuron logs head`: prints the newest seal of the chain, to be kept elsewhere.
import { renderHead } from '../../../core/logs/seals/seal.ts';
import { toIso } from '../../../core/time/iso.ts';
import { parseOrganization } from '../../command/arguments.ts';
import { argument, command } from '../../command/command.ts';
import { CommandFailure } from '../../output/failure.ts';
import { checkApplicable, LOG_OPTIONS } from '../log-options.ts';
import { findChain, WHOLE_LOG } from './find-chain.ts';

/** A head as `--json` shows it. */
interface PrintedHead {
  /** Null for the chain of the service. */
  readonly organization: string | null;
  readonly chain: string;
  /** SEQUENCE:HASH */
  readonly head: string;
  readonly sequence: number;
  readonly hash: string;
  readonly sealedAt: string;
}

export const logsHead = command({
  name: 'head',
  description: 'Prints the head of the chain of seals; keep it elsewhere, for `neuron logs verify --head`.',
  arguments: {
    organization: argument(
      '[organization]',
      'the organization; without it, the changes of the whole service',
      parseOrganization,
    ),
  },
  inherited: LOG_OPTIONS,
  result: { text: ({ head }: PrintedHead) => head },
  async run({ organization, ...options }, { out, connect }) {
    checkApplicable(options, ['deleted'], WHOLE_LOG);
    const ports = await connect();
    const { chain, subject } = await findChain(organization, options.deleted, ports, out);
    const head = await ports.seals.read(chain);
    if (head === undefined)
      throw new CommandFailure({
        what: `The log of ${subject} has no seals yet.`,
        why: 'An entry is sealed some seconds after it was put.',
      });
    const { sequence, hash, sealedAtMs } = head;
    return {
      organization: organization ?? null,
      chain,
      head: renderHead(head),
      sequence,
      hash,
      sealedAt: toIso(sealedAtMs),
    };
  },
});
