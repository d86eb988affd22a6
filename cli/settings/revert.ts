// `neuron revert`: puts the settings of an organization or a neuron back as they were before a change.
import { InvalidArgumentError } from 'commander';
import { printYaml } from '../../adapters/yaml/print-yaml.ts';
import { findEarlierSettings } from '../../core/admin/revert/find-settings.ts';
import { CHANGE_RETENTION_MS, isChangeId } from '../../core/contract/change-entry.ts';
import { type BlockOwner, requireOwner } from '../blocks/stored-blocks.ts';
import { parseTarget } from '../command/arguments.ts';
import { argument, command, option } from '../command/command.ts';
import { differingLines, paintDifference } from '../output/difference.ts';
import { usageFailure } from '../output/failure.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { writeNeuron, writeOrganization } from '../session/stamped-writes.ts';
import { renderTarget } from '../session/target.ts';
import { requireFound, requireUsable } from './require-earlier.ts';

const SKEW_MS = 60_000;

function parseChangeId(text: string): string {
  if (isChangeId(text)) return text;
  throw new InvalidArgumentError('It must be the id of a change, as `neuron logs ORG --changes` shows it.');
}

export const revert = command({
  name: 'revert',
  arguments: {
    target: argument(
      '<organization[/neuron]>',
      'the organization, without its neurons, or one neuron',
      parseTarget,
    ),
  },
  options: {
    to: option(
      '--to <change>',
      'the change, such as chg-…, before which the settings were right',
      parseChangeId,
    ),
  },
  help: 'Versions, deployments, keys, secrets, pauses and blocks stay as they are; the command lists what it leaves. The settings files are not changed: the next apply brings back what they say.',
  async run({ target, to }, { out, connect }) {
    if (to === undefined) throw usageFailure('No change was given.', 'Pass --to with the id of a change.');
    const ports = await connect();
    // The owner first: what changes after this read makes the write fail.
    const owner = await requireOwner(target, ports);
    const nowMs = ports.clock.now();
    const changes = ports.changes.list(target.organization, nowMs - CHANGE_RETENTION_MS, nowMs + SKEW_MS);
    const ids = { organizationId: owner.organization.id, neuronId: owner.neuron?.id };
    const earlier = requireFound(await findEarlierSettings(changes, to, ids), target, to);
    const { document: current } = owner.neuron ?? owner.organization;
    const name = renderTarget(target);
    for (const { id, actions, deployedBefore } of earlier.unreverted)
      out.message(
        `Not reverted: ${actions.join(', ')} of ${id}.${deployedBefore === undefined ? '' : ` \`neuron versions deploy ${name} ${deployedBefore}\` deploys the version of before.`}`,
      );
    const lines =
      earlier.document === undefined
        ? []
        : differingLines(printYaml([current]), printYaml([earlier.document]), 2);
    if (lines.length === 0)
      return out.value(
        { target: name, to, reverted: false },
        `The settings of ${name} are as they were before ${to}.`,
      );
    requireUsable(earlier.document, owner, to);
    out.message((paint) => lines.map((line) => paintDifference(line, paint)).join('\n'));
    await out.confirm(`Revert the settings of ${name} to those before ${to}?`);
    await writeReverted(owner, { document: earlier.document, revertTo: to }, ports);
    out.value(
      { target: name, to, reverted: true },
      `Reverted the settings of ${name} to those before ${to}. ${settingsTakeEffect(ports.stack)} Correct the settings files too: the next apply brings back what they say.`,
    );
  },
});

/** One conditional write. Throws `WriteConflict` where the settings changed since they were read. */
async function writeReverted(
  { organization, neuron }: BlockOwner,
  reverted: { readonly document: unknown; readonly revertTo: string },
  ports: Parameters<typeof writeNeuron>[2],
): Promise<void> {
  if (neuron === undefined) await writeOrganization({ ...organization, ...reverted }, ports);
  else await writeNeuron(organization.slug, { ...neuron, ...reverted }, ports);
}
