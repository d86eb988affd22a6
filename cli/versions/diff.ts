// `neuron versions diff`: shows what differs between two versions: their flows and variables.

import { contentOf } from '../../core/admin/apply/changes.ts';
import { NEURON, parseVersionId, VERSION } from '../command/arguments.ts';
import { argument, command } from '../command/command.ts';
import type { VersionDifference } from '../json/settings.ts';
import { paintDifference } from '../output/difference.ts';
import { CommandFailure } from '../output/failure.ts';
import { requireVersion } from '../session/require-stored.ts';
import { renderTarget } from '../session/target.ts';
import { listDifferingLines } from '../settings/change-view.ts';

export const versionsDiff = command({
  name: 'diff',
  description: 'Shows what differs between the flows of two versions, or of the deployed one and another.',
  arguments: {
    neuron: NEURON,
    id: VERSION,
    other: argument('[other]', 'the version to compare it with', parseVersionId),
  },
  help: 'With one version, lines marked - are of the deployed version and lines marked + of the one you name; with two, of the first and of the second.',
  async run({ neuron: target, id, other }, { out, connect }) {
    const { store } = await connect();
    const { neuron, version } = await requireVersion(store, target, id);
    const first =
      other === undefined ? (neuron.deployment?.version ?? failUndeployed(renderTarget(target))) : id;
    const second = other ?? id;
    const read = async (one: string) =>
      contentOf(one === id ? version : (await requireVersion(store, target, one)).version);
    const lines = listDifferingLines(await read(first), await read(second));
    const result: VersionDifference = { from: first, to: second, lines };
    if (out.json) return out.value(result, '');
    const deployed = neuron.deployment?.version;
    const named = (one: string) => (one === deployed ? `${one} (deployed)` : one);
    if (lines.length === 0)
      return out.message(`${named(first)} and ${named(second)} have the same flow and variables.`);
    out.message(`${named(first)} → ${named(second)}`);
    out.raw(`${lines.map((line) => paintDifference(line, out.paint)).join('\n')}\n`);
  },
});

function failUndeployed(name: string): never {
  throw new CommandFailure({
    what: `No version of ${name} is deployed, so there is none to compare with.`,
    remedy: `Name two: \`neuron versions diff ${name} v1 v2\`.`,
  });
}
