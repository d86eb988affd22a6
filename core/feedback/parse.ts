// Parses the body of a request with feedback, by the metrics of its neuron.
import { ServiceError } from '../contract/service-error.ts';
import type { FeedbackMetric, FeedbackSettings } from '../settings/feedback/feedback-schema.ts';
import { isJsonObject, parseJson } from '../text/json.ts';
import { toThousandths } from '../text/numbers.ts';

/** One value for one metric. */
export interface Feedback {
  readonly metric: string;
  readonly value: boolean | number;
  readonly comment?: string;
}

interface FeedbackRequest extends Feedback {
  /** As it was sent: nothing of it is proven. */
  readonly token: string;
}

/** More than a token and a comment of the longest kind take. */
const MAX_BODY_LENGTH = 32_768;
const MAX_COMMENT_LENGTH = 2_000;

/** Throws 400 `malformed_json` and `malformed_body`, 422 `input_too_large` and `invalid_feedback`. */
export function parseFeedback(body: string | undefined, settings: FeedbackSettings): FeedbackRequest {
  if ((body?.length ?? 0) > MAX_BODY_LENGTH) {
    const detail = `The body is longer than feedback may be, which is ${MAX_BODY_LENGTH} characters.`;
    throw new ServiceError('input_too_large', { detail });
  }
  const parsed = parseJson(body ?? '');
  if (parsed === undefined) throw new ServiceError('malformed_json', { detail: NOT_JSON });
  if (!isJsonObject(parsed)) throw new ServiceError('malformed_body', { detail: NO_OBJECT });
  const { token, metric: name, value, comment } = parsed;
  if (typeof token !== 'string') throw invalid('token', 'must be the X-Feedback-Token of the answer');
  const metric = typeof name === 'string' && Object.hasOwn(settings.metrics, name) ? name : undefined;
  if (metric === undefined) {
    throw invalid('metric', `must be a metric of this neuron: ${Object.keys(settings.metrics).join(', ')}`);
  }
  const parsedValue = parseValue(value, settings.metrics[metric]);
  const said = parseComment(comment, settings);
  return { token, metric, value: parsedValue, ...(said === undefined ? {} : { comment: said }) };
}

const EXAMPLE = '{"token":"…","metric":"…","value":true}';
const NOT_JSON = `The request body is not valid JSON. Send ${EXAMPLE}.`;
const NO_OBJECT = `The request body must be a JSON object: ${EXAMPLE}.`;

function parseValue(value: unknown, metric: FeedbackMetric | undefined): boolean | number {
  if (metric?.type === 'boolean') {
    if (typeof value === 'boolean') return value;
    throw invalid('value', 'must be true or false');
  }
  const { min = 0, max = 0 } = metric ?? {};
  if (typeof value === 'number' && value >= min && value <= max && toThousandths(value) !== undefined)
    return value;
  throw invalid('value', `must be a number from ${min} to ${max} with at most 3 decimals`);
}

function parseComment(comment: unknown, { comments }: FeedbackSettings): string | undefined {
  if (comment === undefined || comment === null || comment === '') return undefined;
  if (!comments) throw invalid('comment', 'must be left out: this neuron takes no comments');
  if (typeof comment === 'string' && comment.length <= MAX_COMMENT_LENGTH) return comment.toWellFormed();
  throw invalid('comment', `must be a text of at most ${MAX_COMMENT_LENGTH} characters`);
}

function invalid(param: string, error: string): ServiceError {
  return new ServiceError('invalid_feedback', { param, detail: `"${param}" ${error}.` });
}
