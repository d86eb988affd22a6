// `neuron versions key --new`: creates the preview key of a version, with which it can be called whether deployed or not.
import type { Command } from 'commander';
import { mintPreviewKey, withPreviewKey } from '../../core/access/preview-key.ts';
import { usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import { createAuditStamp } from '../session/audit-stamp.ts';
import type { Ports } from '../session/ports.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireVersion } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkNeuron, checkVersion, toNeuronTarget, type VersionTarget } from '../session/target.ts';

export function registerVersionsKey(versions: Command, bind: Bind): void {
  versions
    .command('key')
    .description('Creates the preview key of a version and prints it once.')
    .argument('<organization/neuron>', 'the neuron', checkNeuron)
    .argument('<version>', 'the version, such as v3', checkVersion)
    .option('--new', 'create a new key, which replaces an earlier one')
    .action(
      bind<{ readonly new?: true }>(async (session, { args: [text, version = ''], options }) => {
        if (options.new !== true) {
          throw usageFailure(
            'A preview key is not stored, so it cannot be shown again.',
            'Pass --new to create one.',
          );
        }
        const args = { ...toNeuronTarget(text), version };
        await makePreviewKey({ args, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Stores only the digest, in one conditional write. */
async function makePreviewKey({
  args,
  ports,
  out,
}: {
  readonly args: VersionTarget;
  readonly ports: Pick<Ports, 'stack' | 'store' | 'clock' | 'random' | 'author'>;
  readonly out: Output;
}): Promise<void> {
  const { neuron, version } = await requireVersion(ports.store, args);
  const name = `${args.organization}/${args.neuron}`;
  const replaces = Object.hasOwn(neuron.previewKeys, version.id);
  await out.confirm(`Create a ${replaces ? 'new ' : ''}preview key for ${version.id} of ${name}?`);
  const { key, digest } = mintPreviewKey(ports.random);
  const { since, by } = await createAuditStamp(ports);
  const previewKeys = withPreviewKey(neuron.previewKeys, version.id, digest);
  await ports.store.writeNeuron(
    args.organization,
    { ...neuron, previewKeys, updatedAt: since, updatedBy: by },
    neuron.write,
  );
  out.message(
    [
      `The preview key of ${version.id} of ${name} is not shown again. ${settingsTakeEffect(ports.stack)}`,
      `Pass it with \`NEURON_PREVIEW_KEY=… neuron call ${name} --revision ${version.id}\`, or in the header X-Preview-Key.`,
      ...(replaces ? ['The earlier key of this version is no longer valid.'] : []),
    ].join('\n'),
  );
  out.value({ neuron: name, version: version.id, previewKey: key }, key);
}
