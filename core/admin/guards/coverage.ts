// Says what the guards of a neuron look at and do: stage by stage, of content that they cannot see, and whether streams wait for them.
import { streamModeOf } from '../../flow/stream-mode.ts';
import { type ActiveGuard, activeGuards, NO_TOOLS } from '../../guards/active-guards.ts';
import { findWaiting } from '../../guards/inspect-answer.ts';
import type { Flow } from '../../settings/flow-schema.ts';
import { parseFlow } from '../../settings/flow-schema.ts';
import { type Guard, type GuardAction, STAGES, type Stage } from '../../settings/guards/guards-schema.ts';
import { type NeuronSettings, neuronSettingsSchema } from '../../settings/neuron-schema.ts';
import { type Organization, organizationSchema } from '../../settings/organization-schema.ts';
import { type Reach, reachOf, type UnseenContent } from './reach.ts';
import { costsOf, type ServiceCost } from './service-cost.ts';

export interface CoveringGuard {
  readonly guard: string;
  readonly type: Guard['type'];
  readonly action: GuardAction;
  /** True for one that the organization has on every neuron. */
  readonly mandatory: boolean;
}

export interface StageCoverage {
  readonly stage: Stage;
  /** False where the flow takes, or makes, nothing of the kind. */
  readonly reached: boolean;
  readonly guards: readonly CoveringGuard[];
}

/** Content that no guard sees: `refused` with the request, `withheld` from the caller, or `passed` on unseen. */
export interface UnseenCoverage extends UnseenContent {
  readonly fate: 'refused' | 'withheld' | 'passed';
  /** The guards that do not let it through. */
  readonly guards: readonly string[];
}

export interface StreamCoverage {
  readonly mode: 'live' | 'whole';
  /** True where a step or a schema of the flow makes it whole. */
  readonly flow: boolean;
  /** The guards that must see the end of an answer before any of it leaves. */
  readonly guards: readonly string[];
}

export interface GuardCoverage {
  readonly stages: readonly StageCoverage[];
  readonly unseen: readonly UnseenCoverage[];
  /** Null for a neuron that answers with vectors. */
  readonly stream: StreamCoverage | null;
  /** Absent where no guard asks a service. */
  readonly services?: readonly ServiceCost[];
}

interface GuardedNeuron {
  readonly organization: Pick<Organization, 'guards' | 'mandatory' | 'providers' | 'prices'>;
  readonly neuron: Pick<NeuronSettings, 'guards' | 'maxInputBytes'>;
  readonly flow: Flow;
}

/** Undefined for a neuron without guards. Throws for settings that `validate` rejects. */
export function coverageOf({ flow, ...settings }: GuardedNeuron): GuardCoverage | undefined {
  const active = activeGuards(settings, NO_TOOLS);
  if (active.length === 0) return undefined;
  const mandatory = settings.organization.mandatory?.length ?? 0;
  const reach = reachOf(flow);
  const services = costsOf(active, settings.neuron.maxInputBytes, settings.organization);
  return {
    stages: STAGES.map((stage) => ({
      stage,
      reached: reach.stages.has(stage),
      guards: active.flatMap((guard, index) =>
        guard.stages.has(stage) ? [toCovering(guard, index < mandatory)] : [],
      ),
    })),
    unseen: reach.unseen.map((content) => toUnseen(content, active)),
    stream: streamOf(flow, reach, active),
    ...(services.length === 0 ? {} : { services }),
  };
}

function toCovering({ name, type, action }: ActiveGuard, mandatory: boolean): CoveringGuard {
  return { guard: name, type, action, mandatory };
}

function toUnseen(content: UnseenContent, active: readonly ActiveGuard[]): UnseenCoverage {
  const strict = active.filter(({ rejectsUnseen, stages }) => rejectsUnseen && stages.has(content.stage));
  const guards = namesOf(strict);
  if (guards.length === 0) return { ...content, fate: 'passed', guards };
  return { ...content, fate: content.stage === 'output' ? 'withheld' : 'refused', guards };
}

function streamOf(flow: Flow, { embeds }: Reach, active: readonly ActiveGuard[]): StreamCoverage | null {
  if (embeds) return null;
  const guards = namesOf(findWaiting(active));
  const isWhole = streamModeOf(flow) === 'whole';
  return { mode: isWhole || guards.length > 0 ? 'whole' : 'live', flow: isWhole, guards };
}

function namesOf(guards: readonly ActiveGuard[]): readonly string[] {
  return [...new Set(guards.map(({ name }) => name))];
}

interface GuardedDocuments {
  readonly organization: unknown;
  readonly neuron: unknown;
  readonly flow: unknown;
}

/** The same of documents. Undefined also for those that no request could use, and without a flow. */
export function coverageOfDocuments({
  organization: document,
  neuron: settings,
  flow: steps,
}: GuardedDocuments): GuardCoverage | undefined {
  const organization = organizationSchema.safeParse(document);
  const neuron = neuronSettingsSchema.safeParse(settings);
  const flow = parseFlow(steps);
  if (!organization.success || !neuron.success || flow === undefined) return undefined;
  try {
    return coverageOf({ organization: organization.data, neuron: neuron.data, flow });
  } catch {
    // A library without the guard: calls of this neuron are answered 500.
    return undefined;
  }
}
