// Warns of guards that can do nothing: no text of their stages ever comes, another one does as much already, or a mask never comes back.
import { withImplied } from '../../guards/active-guards.ts';
import type { GuardAction, GuardUse, Stage } from '../../settings/guards/guards-schema.ts';
import type { Neuron } from '../../settings/neuron-schema.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import type { Path } from '../../settings/path.ts';
import { type PartDiagnostic, warningAt } from '../diagnostic.ts';
import { type Reach, reachOf } from './reach.ts';

/** Paths begin at the neuron's document. `organization` is undefined where it is not known. */
export function warnOfIdleUses(
  { guards = [], flow }: Pick<Neuron, 'guards' | 'flow'>,
  organization: Pick<Organization, 'mandatory'> | undefined,
): PartDiagnostic[] {
  const reach = flow === undefined ? undefined : reachOf(flow);
  const ofOrganization = (organization?.mandatory ?? []).map((use) => toCandidate(use, true));
  const own = guards.map((use) => toCandidate(use, false));
  return own.flatMap((one, index) => {
    const path: Path = ['guards', index];
    const earlier = [...ofOrganization, ...own.slice(0, index)].find((other) => covers(other, one, false));
    const covering = earlier ?? own.slice(index + 1).find((other) => covers(other, one, true));
    return [
      ...(covering === undefined ? [] : [warningAt(path, describeCovered(one, covering))]),
      ...(reach === undefined ? [] : warnOfReach(one.use, reach, path)),
    ];
  });
}

const NEEDS: Readonly<Record<Stage, string>> = {
  input: 'texts',
  system: 'system texts: no step has `accepts: [system]`',
  toolResults: 'results of tools: no step has `accepts: [tools]`',
  tools: 'tools or schemas: no step has `accepts: [tools]` or `accepts: [schema]`',
  output: 'texts of a model: it answers with vectors',
  toolCalls: 'calls of tools: no step has `accepts: [tools]`',
};

function warnOfReach(use: GuardUse, { stages, embeds }: Reach, path: Path): PartDiagnostic[] {
  const missing = use.on.filter((stage) => !stages.has(stage));
  const [first] = missing;
  if (first !== undefined && missing.length === use.on.length)
    return [warningAt([...path, 'on'], `can never act, since this neuron has no ${NEEDS[first]}`)];
  if (use.action === 'block' && use.text !== undefined && embeds)
    return [
      warningAt([...path, 'text'], 'is never sent: a neuron that answers with vectors answers 422 instead'),
    ];
  return use.action === 'mask' ? warnOfLostMasks(use, stages, embeds, path) : [];
}

function warnOfLostMasks(
  { restore = ['output'] }: GuardUse,
  stages: ReadonlySet<Stage>,
  embeds: boolean,
  path: Path,
): PartDiagnostic[] {
  if (restore.some((stage) => stages.has(stage))) return [];
  const why = embeds ? 'this neuron answers with vectors' : 'nothing of `restore` leaves this neuron';
  return [
    warningAt([...path, 'action'], `is mask, and no value ever comes back: ${why}. Use redact, or restore`),
  ];
}

/** From the one that counts most. */
const BY_STRENGTH: readonly GuardAction[] = ['block', 'redact', 'mask', 'flag'];

interface Candidate {
  readonly use: GuardUse;
  readonly isMandatory: boolean;
  readonly stages: ReadonlySet<Stage>;
  readonly strength: number;
  readonly rejectsUnseen: boolean;
}

function toCandidate(use: GuardUse, isMandatory: boolean): Candidate {
  return {
    use,
    isMandatory,
    stages: withImplied(use.on),
    strength: BY_STRENGTH.indexOf(use.action),
    rejectsUnseen: use.action !== 'flag' && (use.unseen ?? (isMandatory ? 'refuse' : 'allow')) === 'refuse',
  };
}

/** True where the other one is of the same guard, looks at all that this one looks at, and does as much or, where it must, more. */
function covers(other: Candidate, one: Candidate, mustDoMore: boolean): boolean {
  return (
    other.use.use === one.use.use &&
    (mustDoMore ? other.strength < one.strength : other.strength <= one.strength) &&
    (other.rejectsUnseen || !one.rejectsUnseen) &&
    one.stages.isSubsetOf(other.stages)
  );
}

function describeCovered({ use }: Candidate, { use: { action }, isMandatory }: Candidate): string {
  const whose = isMandatory ? 'the organization has it on every neuron' : 'another entry has it';
  const more = action === use.action ? 'with the same action' : `with ${action}, which counts more`;
  return `has no effect: of ${use.use}, ${whose} on all these stages ${more}. Take this entry out`;
}
