// The guards of a neuron in a test: the same that its requests meet.
import { ServiceError } from '../../contract/service-error.ts';
import {
  type ActiveGuard,
  activeGuards,
  asksForPhones,
  type GuardTools,
  NO_TOOLS,
} from '../../guards/active-guards.ts';
import type { ServicePorts } from '../../guards/remote/question.ts';
import { withServices } from '../../guards/remote/service-guards.ts';
import { createRequestGuards, type RequestGuards } from '../../guards/request-guards.ts';
import type { ValidateJson } from '../../ports/platform.ts';
import type { Invocation } from '../../surfaces/surface.ts';
import type { TestedNeuron } from './tested-neuron.ts';

/** Placeholders of masks are the same in each run; nothing else hangs on these keys. */
const TEST_KEYS = { masks: 'masks of tests', finds: 'finds of tests' };

/** A request as its guards leave it; `blockedText` in place of a run. */
export interface GuardedRequest {
  readonly guards: RequestGuards | undefined;
  readonly invocation: Invocation;
  readonly blockedText: string | undefined;
}

interface GuardRunPorts extends ServicePorts {
  readonly validateJson: ValidateJson;
  readonly loadPhones: () => Promise<GuardTools>;
}

/** Throws `guard_blocked`, `guard_unseen_content`, `guard_unavailable` and `configuration` as a request would end. */
export async function guardRun(
  neuron: TestedNeuron,
  invocation: Invocation,
  ports: GuardRunPorts,
): Promise<GuardedRequest> {
  const active = await activate(neuron, ports);
  if (active.length === 0) return { guards: undefined, invocation, blockedText: undefined };
  const local = createRequestGuards(active, TEST_KEYS, ports.validateJson);
  const hasServices = active.some(({ service }) => service !== undefined);
  const guards = hasServices ? withServices(local, active, ports) : local;
  const { blocked, unseen, ...inspected } = guards.inspectInput(invocation);
  if (unseen !== undefined) throw new ServiceError('guard_unseen_content');
  const shown = { ...invocation, ...inspected };
  if (blocked !== undefined) return { guards, invocation: shown, blockedText: requireText(blocked.text) };
  if (guards.services === undefined) return { guards, invocation: shown, blockedText: undefined };
  const { blocked: later, ...left } = await guards.services.inspectInput(shown);
  const blockedText = later === undefined ? undefined : requireText(later.text);
  return { guards, invocation: { ...shown, ...left }, blockedText };
}

// By the neuron, which lives as long as its tests: patterns are compiled once.
const known = new WeakMap<TestedNeuron, readonly ActiveGuard[]>();

async function activate(
  neuron: TestedNeuron,
  { loadPhones }: Pick<GuardRunPorts, 'loadPhones'>,
): Promise<readonly ActiveGuard[]> {
  const before = known.get(neuron);
  if (before !== undefined) return before;
  const tools = asksForPhones(neuron.organization.guards) ? await loadPhones() : NO_TOOLS;
  const active = activeGuards({ organization: neuron.organization, neuron: neuron.settings }, tools);
  known.set(neuron, active);
  return active;
}

function requireText(text: string | undefined): string {
  if (text === undefined) throw new ServiceError('guard_blocked');
  return text;
}
