// Counts the tokens of the input that a run of a request would send to its first model. No model is called, and no limit is charged.
import { countTokens } from '../../../core/conversation/count-tokens.ts';
import { composeFirstRequest } from '../../../core/flow/first-attempt.ts';
import type { Budget } from '../../../core/limits/budget.ts';
import { renderTokenCount } from '../../../core/surfaces/anthropic/token-count.ts';
import type { ExecutionPorts } from '../compose.ts';
import type { Call, Outcome } from '../run.ts';
import { toFlowContext, toFlowPorts } from './flow.ts';
import { readInvocation } from './invocation.ts';
import { openLeftOut } from './left-out.ts';
import { findVersion } from './version.ts';

/** Throws what the run would throw before its first call of a model. */
export async function countRequest(
  known: Pick<Call, 'request' | 'startedMs' | 'subject' | 'admission' | 'settings' | 'deadline'>,
  budget: Budget,
  ports: ExecutionPorts,
): Promise<Outcome> {
  const { request, settings } = known;
  const invocation = await readInvocation(request, settings, ports);
  const version = await findVersion(request, settings, ports);
  const leftOut = openLeftOut(request, invocation, version.flow);
  const call: Call = { ...known, invocation, version, leftOut };
  const flowPorts = toFlowPorts(call, budget, ports);
  const first = await composeFirstRequest(version.flow, toFlowContext(call), flowPorts);
  // A flow that asks no model for this reads nothing of it.
  const tokens = first === undefined ? 0 : countTokens(first);
  return { kind: 'count', answer: () => renderTokenCount(tokens, request.executionId) };
}
