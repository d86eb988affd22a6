// `neuron versions key --new`: creates the preview key of a version, with which it can be called before it is deployed.
import { mintPreviewKey, withPreviewKey } from '../../core/access/preview-key.ts';
import { NEURON, VERSION } from '../command/arguments.ts';
import { command, flag } from '../command/command.ts';
import { usageFailure } from '../output/failure.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireVersion } from '../session/require-stored.ts';
import { writeNeuron } from '../session/stamped-writes.ts';
import { renderTarget } from '../session/target.ts';

export const versionsKey = command({
  name: 'key',
  description: 'Creates the preview key of a version and prints it once.',
  arguments: { neuron: NEURON, id: VERSION },
  options: { isNew: flag('--new', 'create a new key, which replaces an earlier one') },
  // Only the digest is stored.
  async run({ neuron: target, id, isNew }, { out, connect }) {
    if (!isNew)
      throw usageFailure(
        'A preview key is not stored, so it cannot be shown again.',
        'Pass --new to create one.',
      );
    const ports = await connect();
    const { neuron } = await requireVersion(ports.store, target, id);
    const name = renderTarget(target);
    const replaces = Object.hasOwn(neuron.previewKeys, id);
    await out.confirm(`Create a ${replaces ? 'new ' : ''}preview key for ${id} of ${name}?`);
    const { key, digest } = mintPreviewKey(ports.random);
    const previewKeys = withPreviewKey(neuron.previewKeys, id, digest);
    await writeNeuron(target.organization, { ...neuron, previewKeys }, ports);
    const lines = [
      `The preview key of ${id} of ${name} is not shown again. ${settingsTakeEffect(ports.stack)}`,
      `Pass it with \`NEURON_PREVIEW_KEY=… neuron call ${name} --revision ${id}\`, or in the header X-Preview-Key.`,
      ...(replaces ? ['The earlier key of this version is no longer valid.'] : []),
    ];
    out.message(lines.join('\n'));
    out.value({ neuron: name, version: id, previewKey: key }, key);
  },
});
