// Judges caching settings before they are applied: what would serve one run's answer for another is refused.
import type { Neuron } from '../config/neuron-schema.ts';
import { placeholdersOf } from '../config/placeholders.ts';
import { type FlowPath, textsOf, walkFlow } from '../config/walk-flow.ts';
import { CHANGING, traitsOf } from './flow-traits.ts';
import { isOpenToAll } from './plan.ts';

/** A finding; the path begins at the neuron's document. */
export interface CacheFinding {
  readonly path: FlowPath;
  readonly message: string;
}

/** What is wrong (`refusals`, nothing may be applied) and what the author should know (`warnings`). */
export interface CacheJudgement {
  readonly refusals: readonly CacheFinding[];
  readonly warnings: readonly CacheFinding[];
}

/** Judges a neuron that parsed. A flow that is not in the document is judged when it runs: its answers are then not cached. */
export function judgeCaching(neuron: Neuron): CacheJudgement {
  const { caching, flow } = neuron;
  if (!caching.exact && caching.semantic === undefined)
    return { refusals: judgePerUser(neuron), warnings: [] };
  return {
    refusals: [...judgePerUser(neuron), ...refuseOpenSemantic(neuron), ...refuseChanging(flow ?? [])],
    warnings: [...warnOfUsername(neuron), ...warnOfSplits(flow ?? [])],
  };
}

function refuseOpenSemantic({ caching, access }: Neuron): CacheFinding[] {
  if (caching.semantic === undefined || caching.semantic.allowPublic || !isOpenToAll(access)) return [];
  return [
    {
      path: ['caching', 'semantic'],
      message:
        'is refused on a neuron that anyone may call: whoever asks first could plant the answer that others get to similar questions. Enable apiKey, jwt or ips, or add allowPublic: true',
    },
  ];
}

function refuseChanging(flow: NonNullable<Neuron['flow']>): CacheFinding[] {
  return [...walkFlow(flow)].flatMap(({ step, path }) =>
    (step === undefined ? [] : textsOf(step)).flatMap(({ text, at }) =>
      placeholdersOf(text)
        .filter((name) => CHANGING.has(name))
        .map((name) => ({
          path: ['flow', ...path, ...at],
          message: `says {{${name}}}, which is another in every run, so its answers cannot be cached: take it out, or turn caching off`,
        })),
    ),
  );
}

function judgePerUser({ caching, access }: Neuron): CacheFinding[] {
  if (!caching.perUser || access.jwt !== undefined || access.apiKey === true) return [];
  return [
    {
      path: ['caching', 'perUser'],
      message: 'can never apply: callers are told apart by jwt or apiKey, and neither is enabled',
    },
  ];
}

function warnOfUsername({ caching, access, flow }: Neuron): CacheFinding[] {
  if (caching.perUser || flow === undefined || !traitsOf(flow).personal) return [];
  const known = access.jwt !== undefined || access.apiKey === true;
  return [
    {
      path: ['caching'],
      message: known
        ? 'is per user, since the flow says {{username}}'
        : 'does nothing: the flow says {{username}}, and callers cannot be told apart without jwt or apiKey',
    },
  ];
}

function warnOfSplits(flow: NonNullable<Neuron['flow']>): CacheFinding[] {
  return [...walkFlow(flow)].flatMap(({ step, path }) =>
    step !== undefined && 'randomizedSplit' in step
      ? [
          {
            path: ['flow', ...path, 'randomizedSplit'],
            message:
              'is drawn anew for each request, so answers of runs that come through here are not cached',
          },
        ]
      : [],
  );
}
