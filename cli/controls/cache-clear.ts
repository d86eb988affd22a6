// `neuron cache clear`: clears the response cache of a neuron.
import type { Command } from 'commander';
import type { Output } from '../output/print.ts';
import { createAuditStamp } from '../session/audit-stamp.ts';
import type { Ports } from '../session/ports.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireNeuron, requireOrganization } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkNeuron, toNeuronTarget } from '../session/target.ts';

interface Options {
  readonly args: { readonly organization: string; readonly neuron: string };
  readonly ports: Pick<Ports, 'stack' | 'store' | 'clock' | 'author'>;
  readonly out: Output;
}

export function registerCache(program: Command, bind: Bind): void {
  program
    .command('cache')
    .description('Manages the response cache.')
    .command('clear')
    .description('Clears the response cache.')
    .argument('<organization/neuron>', 'the neuron', checkNeuron)
    .action(
      bind(async (session, { args: [text] }) => {
        const args = toNeuronTarget(text);
        await clearCache({ args, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Increments the cache generation, which is part of every cache key: older entries can no longer be read. Throws `WriteConflict`. */
async function clearCache({ args, ports, out }: Options): Promise<void> {
  const organization = await requireOrganization(ports.store, args.organization);
  const neuron = await requireNeuron(ports.store, organization, args.neuron);
  const name = `${args.organization}/${args.neuron}`;
  await out.confirm(`Clear the response cache of ${name}?`);
  const { since, by } = await createAuditStamp(ports);
  const cleared = { ...neuron, cacheGeneration: neuron.cacheGeneration + 1, updatedAt: since, updatedBy: by };
  const { cacheGeneration } = await ports.store.writeNeuron(args.organization, cleared, neuron.write);
  out.value(
    { neuron: name, cacheGeneration },
    `Cleared the response cache of ${name}. ${settingsTakeEffect(ports.stack)}`,
  );
}
