// Validates caching settings before they are applied: what would serve one run's answer for another is an error.

import { CHANGING, traitsOf } from '../../cache/flow-traits.ts';
import { isOpenToAll } from '../../cache/plan.ts';
import { embedOf, type Flow } from '../../settings/flow-schema.ts';
import type { Neuron } from '../../settings/neuron-schema.ts';
import { placeholdersOf } from '../../settings/placeholders.ts';
import { textsOf, walkFlow } from '../../settings/walk-flow.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../diagnostic.ts';
import { passedCalls } from './pass-through.ts';

/**
 * Validates a neuron that parsed; paths begin at the root of its document. A flow that is not in the document is checked when it
 * runs: its answers are then not cached.
 */
export function validateCaching(neuron: Neuron): PartDiagnostic[] {
  const { caching, flow } = neuron;
  if (!caching.exact && caching.semantic === undefined) return validatePerUser(neuron);
  return [
    ...validatePerUser(neuron),
    ...validateOpenSemantic(neuron),
    ...validateVectors(neuron),
    ...validatePlaceholders(flow ?? []),
    ...warnOfUsername(neuron),
    ...warnOfSplits(flow ?? []),
    ...warnOfPassThrough(flow ?? []),
  ];
}

function validateOpenSemantic({ caching, access }: Neuron): PartDiagnostic[] {
  if (caching.semantic === undefined || caching.semantic.allowPublic || !isOpenToAll(access)) return [];
  const message =
    'is refused on a neuron that anyone may call: whoever asks first could plant the answer that others get to similar questions. Enable apiKey, jwt or ips, or add allowPublic: true';
  return [errorAt(['caching', 'semantic'], message)];
}

function validateVectors({ caching, flow = [] }: Neuron): PartDiagnostic[] {
  if (caching.semantic === undefined || embedOf(flow) === undefined) return [];
  const message = 'compares texts of conversations, and this neuron answers vectors: use caching.exact';
  return [errorAt(['caching', 'semantic'], message)];
}

function validatePlaceholders(flow: Flow): PartDiagnostic[] {
  return [...walkFlow(flow)].flatMap(({ step, path }) =>
    (step === undefined ? [] : textsOf(step)).flatMap(({ text, at }) =>
      placeholdersOf(text)
        .filter((name) => CHANGING.has(name))
        .map((name) =>
          errorAt(
            ['flow', ...path, ...at],
            `says {{${name}}}, which is another in every run, so its answers cannot be cached: take it out, or turn caching off`,
          ),
        ),
    ),
  );
}

function validatePerUser({ caching, access }: Neuron): PartDiagnostic[] {
  if (!caching.perUser || access.jwt !== undefined || access.apiKey === true) return [];
  const message = 'can never apply: callers are told apart by jwt or apiKey, and neither is enabled';
  return [errorAt(['caching', 'perUser'], message)];
}

function warnOfUsername({ caching, access, flow }: Neuron): PartDiagnostic[] {
  if (caching.perUser || flow === undefined || !traitsOf(flow).personal) return [];
  const known = access.jwt !== undefined || access.apiKey === true;
  const message = known
    ? 'is per user, since the flow says {{username}}'
    : 'does nothing: the flow says {{username}}, and callers cannot be told apart without jwt or apiKey';
  return [warningAt(['caching'], message)];
}

function warnOfPassThrough(flow: Flow): PartDiagnostic[] {
  if (passedCalls(flow).length === 0) return [];
  return [warningAt(['caching'], 'does nothing for requests that are passed on')];
}

function warnOfSplits(flow: Flow): PartDiagnostic[] {
  const message =
    'sends callers on different branches, so answers of runs that come through here are not cached';
  return [...walkFlow(flow)].flatMap(({ step, path }) =>
    step !== undefined && 'randomizedSplit' in step
      ? [warningAt(['flow', ...path, 'randomizedSplit'], message)]
      : [],
  );
}
