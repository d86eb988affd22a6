// Judges caching settings before they are applied: what would serve one run's answer for another is refused.

import { CHANGING, traitsOf } from '../../cache/flow-traits.ts';
import { isOpenToAll } from '../../cache/plan.ts';
import type { Neuron } from '../../settings/neuron-schema.ts';
import { placeholdersOf } from '../../settings/placeholders.ts';
import { type FlowPath, textsOf, walkFlow } from '../../settings/walk-flow.ts';

/** A finding; the path begins at the neuron's document. */
export interface CacheDiagnostic {
  readonly path: FlowPath;
  readonly message: string;
}

/** What is wrong (`refusals`, nothing may be applied) and what the author should know (`warnings`). */
export interface CacheValidation {
  readonly refusals: readonly CacheDiagnostic[];
  readonly warnings: readonly CacheDiagnostic[];
}

/** Judges a neuron that parsed. A flow that is not in the document is judged when it runs: its answers are then not cached. */
export function validateCaching(neuron: Neuron): CacheValidation {
  const { caching, flow } = neuron;
  if (!caching.exact && caching.semantic === undefined)
    return { refusals: validatePerUser(neuron), warnings: [] };
  return {
    refusals: [...validatePerUser(neuron), ...refuseOpenSemantic(neuron), ...refuseChanging(flow ?? [])],
    warnings: [...warnOfUsername(neuron), ...warnOfSplits(flow ?? [])],
  };
}

function refuseOpenSemantic({ caching, access }: Neuron): CacheDiagnostic[] {
  if (caching.semantic === undefined || caching.semantic.allowPublic || !isOpenToAll(access)) return [];
  return [
    {
      path: ['caching', 'semantic'],
      message:
        'is refused on a neuron that anyone may call: whoever asks first could plant the answer that others get to similar questions. Enable apiKey, jwt or ips, or add allowPublic: true',
    },
  ];
}

function refuseChanging(flow: NonNullable<Neuron['flow']>): CacheDiagnostic[] {
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

function validatePerUser({ caching, access }: Neuron): CacheDiagnostic[] {
  if (!caching.perUser || access.jwt !== undefined || access.apiKey === true) return [];
  return [
    {
      path: ['caching', 'perUser'],
      message: 'can never apply: callers are told apart by jwt or apiKey, and neither is enabled',
    },
  ];
}

function warnOfUsername({ caching, access, flow }: Neuron): CacheDiagnostic[] {
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

function warnOfSplits(flow: NonNullable<Neuron['flow']>): CacheDiagnostic[] {
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
