// Counts the tokens of the input that a run of a request would send to its first model. No model is called, and no limit is charged; the work
// has a budget of its own.
import { once } from '../../../core/async/once.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { countTokens, MAX_COUNTED_CHARACTERS } from '../../../core/conversation/count-tokens.ts';
import { composeFirstRequest } from '../../../core/flow/first-attempt.ts';
import type { Budget } from '../../../core/limits/budget.ts';
import { renderTokenCount } from '../../../core/surfaces/anthropic/token-count.ts';
import type { Call, ExecutionPorts, Outcome } from '../run.ts';
import { toFlowContext, toFlowPorts } from './flow.ts';
import { readInvocation } from './invocation.ts';
import { openLeftOut } from './left-out.ts';
import { findVersion } from './version.ts';

/** The least that a request takes of the budget, which are 2,000 a minute. */
const MIN_CHARACTERS = 10_000;

/** Throws what the run would throw before its first call of a model, and 429 `rate_limited` for a caller whose budget is used up. */
export async function countRequest(
  known: Pick<Call, 'request' | 'startedMs' | 'subject' | 'admission' | 'settings' | 'deadline'>,
  budget: Budget,
  ports: ExecutionPorts,
): Promise<Outcome> {
  const { request, settings, admission } = known;
  spendBudget(known, ports);
  const find = once(() => findVersion(request, settings, admission, ports));
  const invocation = await readInvocation(request, settings, find);
  const version = await find();
  const leftOut = openLeftOut(request, invocation, version.flow);
  const call: Call = { ...known, invocation, version, leftOut };
  const flowPorts = toFlowPorts(call, budget, ports);
  const first = await composeFirstRequest(version.flow, toFlowContext(call), flowPorts);
  // A flow that asks no model for this reads nothing of it.
  const tokens = first === undefined ? 0 : countTokens(first);
  return { kind: 'count', answer: () => renderTokenCount(tokens, request.executionId) };
}

/** Before the body is parsed. */
function spendBudget(
  { request, admission, settings }: Pick<Call, 'request' | 'admission' | 'settings'>,
  { tokenCounts }: Pick<ExecutionPorts, 'tokenCounts'>,
): void {
  const { timeMs, sourceIp, unparsed } = request;
  const { keyId = '' } = admission;
  // A key cannot have more by naming many end users.
  const username = keyId === '' ? (admission.username ?? '') : '';
  const address = keyId === '' && username === '' ? sourceIp : '';
  const caller = JSON.stringify([settings.neuronId, keyId, username, address]);
  const retryAfterMs = tokenCounts.retryAfterMs(caller, timeMs);
  if (retryAfterMs > 0) {
    const reason = `more than ${MAX_COUNTED_CHARACTERS} characters were counted in a minute`;
    throw new ServiceError('rate_limited', { retryAfterMs, reason });
  }
  tokenCounts.add(caller, timeMs, Math.max(MIN_CHARACTERS, unparsed.body?.length ?? 0));
}
