// Takes feedback on an answer: checks its token, and puts it in the log, one value for each metric.
import { RESPONSE_HEADERS } from '../../../core/contract/headers.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { buildFeedbackEntry, feedbackId } from '../../../core/feedback/entry.ts';
import { parseFeedback } from '../../../core/feedback/parse.ts';
import { type RatedAnswer, readToken } from '../../../core/feedback/token.ts';
import { LOG_KEY_NAME, logKeyId } from '../../../core/ports/log-key.ts';
import { jsonAnswer } from '../../../core/surfaces/headers.ts';
import type { Call, ExecutionPorts, Outcome } from '../run.ts';

type TakenCall = Pick<Call, 'request' | 'admission' | 'settings'>;
type TakePorts = Pick<ExecutionPorts, 'feedbacks' | 'secrets' | 'logs' | 'clock'>;

/**
 * 404 `feedback_off`, 429 `rate_limited`, 422 `invalid_feedback`, 410 `feedback_too_late`, 409 `feedback_exists`, 503
 * `dependency_unavailable`. Nothing is written before all of it was checked.
 */
export async function takeFeedback(call: TakenCall, ports: TakePorts): Promise<Outcome> {
  const { request, admission, settings } = call;
  const { feedback, logging } = settings.neuron;
  spendBudget(call, ports);
  if (feedback === undefined) throw new ServiceError('feedback_off');
  const { token, ...sent } = parseFeedback(request.unparsed.body, feedback);
  const rated = await readRated(token, settings, ports);
  const ageMs = ports.clock.now() - rated.timeMs;
  // Beyond its retention the entry of the answer is gone.
  if (ageMs > Math.min(feedback.within, logging.retention)) throw new ServiceError('feedback_too_late');
  const sender = {
    organization: request.organization,
    organizationId: settings.organizationId,
    neuron: request.neuron,
    sourceIp: request.sourceIp,
    refererHost: request.refererHost,
    keyId: admission.keyId,
    authentication: admission.authentication,
  };
  const entry = buildFeedbackEntry(rated, sent, sender, logging.retention);
  const isFirst = await ports.logs.put(entry).catch((cause: unknown) => {
    throw new ServiceError('dependency_unavailable', { reason: 'the feedback could not be put', cause });
  });
  if (!isFirst) throw new ServiceError('feedback_exists');
  const id = feedbackId(rated, sent.metric);
  const answer = {
    ...jsonAnswer({ [RESPONSE_HEADERS.executionId]: request.executionId }, { id }),
    status: 201,
  };
  return { kind: 'feedback', answer: () => answer };
}

/** The answer of a token of this very neuron. */
async function readRated(
  token: string,
  { organizationId, neuronId }: TakenCall['settings'],
  { secrets }: TakePorts,
): Promise<RatedAnswer> {
  const rated = await readToken(token, async (id) => {
    const key = await secrets.read(organizationId, 'providers', LOG_KEY_NAME).catch((cause: unknown) => {
      const reason = 'the key of feedback could not be read';
      throw new ServiceError('dependency_unavailable', { reason, cause });
    });
    if (key === undefined || logKeyId(key) === id) return key;
    // The one of before a rotation stands beside it.
    return secrets.read(organizationId, 'providers', `${LOG_KEY_NAME}-${id}`).catch(() => undefined);
  });
  if (rated?.neuronId === neuronId) return rated;
  const detail = '"token" is not the X-Feedback-Token of an answer of this neuron.';
  throw new ServiceError('invalid_feedback', { param: 'token', detail });
}

/** A key sends the feedback of many users. */
const KEY_COSTS = 1;
/** Makes 60 a minute. */
const ADDRESS_COSTS = 10;

/** Before the body is parsed. */
function spendBudget({ request, admission, settings }: TakenCall, { feedbacks }: TakePorts): void {
  const { keyId = '' } = admission;
  const address = keyId === '' ? request.sourceIp : '';
  const caller = JSON.stringify([settings.neuronId, keyId, address]);
  const retryAfterMs = feedbacks.retryAfterMs(caller, request.timeMs);
  if (retryAfterMs > 0)
    throw new ServiceError('rate_limited', { retryAfterMs, reason: 'too much feedback in a minute' });
  feedbacks.add(caller, request.timeMs, keyId === '' ? ADDRESS_COSTS : KEY_COSTS);
}
