// `neuron cache clear`: from now on no answer that was cached is served.
import type { Command } from 'commander';
import { stampOf } from '../logs/audit-stamp.ts';
import type { Output } from '../output/print.ts';
import { settingsAct } from '../output/propagation-delay.ts';
import { findNeuron, findOrganization } from '../session/find-stored.ts';
import type { Ports } from '../session/ports.ts';
import type { Bind } from '../session/session.ts';
import { checkNeuron, toNeuron } from '../session/target.ts';

interface Given {
  readonly args: { readonly organization: string; readonly neuron: string };
  readonly ports: Pick<Ports, 'stack' | 'store' | 'clock' | 'author'>;
  readonly out: Output;
}

export function registerCache(program: Command, bind: Bind): void {
  program
    .command('cache')
    .description('Cached answers.')
    .command('clear')
    .description('Serves no answer any more that was cached before.')
    .argument('<organization/neuron>', 'the neuron', checkNeuron)
    .action(
      bind(async (session, { args: [text] }) => {
        const args = toNeuron(text);
        await clearCache({ args, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Moves the cache generation on: nothing is deleted, and nothing of before can be read any more. Throws `WriteConflict`. */
export async function clearCache({ args, ports, out }: Given): Promise<void> {
  const organization = await findOrganization(ports.store, args.organization);
  const neuron = await findNeuron(ports.store, organization, args.neuron);
  const name = `${args.organization}/${args.neuron}`;
  await out.confirm(`Serve no cached answer of ${name} any more?`);
  const { since, by } = await stampOf(ports);
  const cleared = { ...neuron, cacheGeneration: neuron.cacheGeneration + 1, updatedAt: since, updatedBy: by };
  const { cacheGeneration } = await ports.store.writeNeuron(args.organization, cleared, neuron.write);
  out.value({ neuron: name, cacheGeneration }, `${name}: the cache is empty. ${settingsAct(ports.stack)}`);
}
