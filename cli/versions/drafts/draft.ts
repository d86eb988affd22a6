// Reads a draft: a flow, with its variables, that is no version of its neuron yet.
import type { NeuronInput } from '../../../core/admin/apply/changes.ts';
import type { NeuronRecord, OrganizationRecord } from '../../../core/ports/administration.ts';
import type { NeuronSettingsDocument } from '../../../core/settings/neuron-schema.ts';
import { option } from '../../command/command.ts';
import { requireNeuron, requireOrganization } from '../../session/require-stored.ts';
import type { Session } from '../../session/session.ts';
import { type NeuronTarget, renderTarget } from '../../session/target.ts';
import { validateMergedForStack } from '../../settings/validate-for-stack.ts';
import { keepMembers, MEMBERS, readFlow } from './read-flow.ts';

/** `--flow FILE`. */
export const flowOption = option(
  '--flow <file>',
  'a flow in YAML, with its variables, as `versions show` prints them; - reads standard input',
);

/** A valid draft, beside the neuron whose settings it runs with. */
interface Draft {
  readonly organization: OrganizationRecord;
  readonly neuron: NeuronRecord;
  readonly input: NeuronInput;
}

/** Validated as `apply` validates it, under the stored settings of its neuron. Throws `CommandFailure` with all errors. */
export async function readDraft(
  target: NeuronTarget,
  path: string,
  { terminal, connect, out }: Session,
): Promise<Draft> {
  const { documents, ...read } = await readFlow(path, terminal);
  const ports = await connect();
  const organization = await requireOrganization(ports.store, target.organization);
  const neuron = await requireNeuron(ports.store, organization, target.neuron);
  const settings = neuron.document as NeuronSettingsDocument;
  const whole = documents.map(({ value, locate }) => ({
    value: { ...settings, neuron: renderTarget(target), ...keepMembers(value) },
    locate,
  }));
  const { neurons } = await validateMergedForStack({ ...read, documents: whole }, MEMBERS, ports, out);
  const [input] = neurons;
  if (input === undefined) throw new Error('a valid draft has a neuron');
  // As they are stored: a version changes no settings.
  return { organization, neuron, input: { ...input, settings } };
}
