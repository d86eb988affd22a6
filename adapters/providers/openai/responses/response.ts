// Reads a response (platform.openai.com/docs/api-reference/responses/object): its items, why it ended, and its usage.
import type { SealedReasoning } from '../../../../core/conversation/conversation.ts';
import {
  type AnswerBlock,
  type FinishReason,
  type ModelResult,
  ProviderFailure,
  type ProviderFailureKind,
  type TokenUsage,
} from '../../../../core/ports/providers.ts';
import { parseExactJson } from '../../../../core/text/exact-json.ts';
import { memberOf, textMemberOf, toList } from '../../../../core/text/json.ts';
import { toCount, toModelVersion } from '../../post-json.ts';
import { blocksWithThoughts, callsIn, type ThoughtPiece, toThought } from '../../thoughts.ts';
import { type AnswerReport, createCallIds, readCall } from '../../tool-arguments.ts';

/** Throws `ProviderFailure` for anything but a response that has ended, and for one that failed. */
export function toModelResult(json: unknown, status: number): ModelResult {
  const response = memberOf(json, 'status');
  if (memberOf(json, 'object') !== 'response' || (response !== 'completed' && response !== 'incomplete')) {
    const kind = response === 'failed' ? kindOfError(memberOf(json, 'error')) : 'malformed_answer';
    throw new ProviderFailure(kind, { status, explanation: explanationOf(json) });
  }
  const usage = toUsage(memberOf(json, 'usage'));
  const report = { status, usage, toId: createCallIds() };
  const items = toList(memberOf(json, 'output'));
  const blocks = items.flatMap((item) => toBlocks(item, report));
  const toolCalls = callsIn(blocks);
  return {
    text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...blocksWithThoughts(blocks),
    finish: toolCalls.length > 0 ? 'toolCalls' : finishOf(json, items.some(hasRejected)),
    usage,
    modelVersion: toModelVersion(memberOf(json, 'model')),
  };
}

function toBlocks(item: unknown, report: AnswerReport): readonly AnswerBlock[] {
  switch (memberOf(item, 'type')) {
    case 'message': {
      const text = textOfItem(item).toWellFormed();
      return text === '' ? [] : [{ type: 'text', text }];
    }
    case 'function_call': {
      const [id, name, input] = ['call_id', 'name', 'arguments'].map((member) => memberOf(item, member));
      return [{ type: 'toolCall', call: readCall({ id, name, input }, report) }];
    }
    case 'reasoning': {
      const thought = toThought('openai', thoughtPieceOf(item));
      return thought === undefined ? [] : [{ type: 'thought', thought }];
    }
    default:
      return [];
  }
}

/** The texts of a message, or the words in which the model refused. */
export function textOfItem(item: unknown): string {
  const parts = toList(memberOf(item, 'content'));
  return parts.map((part) => textMemberOf(part, 'text') ?? textMemberOf(part, 'refusal') ?? '').join('');
}

/** True for a message in which the model refused. */
export function hasRejected(item: unknown): boolean {
  return toList(memberOf(item, 'content')).some((part) => memberOf(part, 'type') === 'refusal');
}

/** The item as it is sent back, and its summary as the text. Without sealed content nothing can be sent back. */
export function thoughtPieceOf(item: unknown): ThoughtPiece {
  const summary = textsIn(memberOf(item, 'summary'));
  const text = [...summary, ...textsIn(memberOf(item, 'content'))].join(BETWEEN);
  const sealed = textMemberOf(item, 'encrypted_content');
  if (!sealed) return { text };
  const payload = JSON.stringify(sealedItem(memberOf(item, 'id'), summary, sealed));
  return text === '' ? { redacted: payload } : { text, signature: payload };
}

/** Between the parts of a thought. */
const BETWEEN = '\n\n';

function textsIn(parts: unknown): readonly string[] {
  return toList(parts).flatMap((part) => textMemberOf(part, 'text') || []);
}

/** As OpenAI, and servers like it, name thoughts. */
const ID = /^rs_[\w-]{1,100}$/;

/** The members of a thought that its provider takes back, and no others. */
function sealedItem(id: unknown, summary: readonly string[], encrypted_content: string) {
  return {
    ...(typeof id === 'string' && ID.test(id) ? { id } : {}),
    summary: summary.map((text) => ({ type: 'summary_text', text })),
    encrypted_content,
  };
}

/**
 * A thought that a caller sends back, as an item. Undefined for one that somebody has written otherwise: nothing may be in its summary that
 * is not in its text, which guards have seen.
 */
export function openItem({ payload, text = '' }: Pick<SealedReasoning, 'payload' | 'text'>) {
  const item = parseExactJson(payload);
  const summary = textsIn(memberOf(item, 'summary'));
  const sealed = textMemberOf(item, 'encrypted_content');
  const isSeen = summary.length === 0 || `${text}${BETWEEN}`.startsWith(summary.join(BETWEEN) + BETWEEN);
  return sealed && isSeen ? sealedItem(memberOf(item, 'id'), summary, sealed) : undefined;
}

/** Why a response ended, but for calls. */
export function finishOf(response: unknown, rejected: boolean): FinishReason {
  const reason = memberOf(memberOf(response, 'incomplete_details'), 'reason');
  if (reason === 'content_filter' || rejected) return 'filtered';
  if (reason === 'max_output_tokens') return 'length';
  return memberOf(response, 'status') === 'completed' ? 'stop' : 'other';
}

/** Undefined unless input and output are counted. */
export function toUsage(usage: unknown): TokenUsage | undefined {
  const input = toCount(memberOf(usage, 'input_tokens'));
  const output = toCount(memberOf(usage, 'output_tokens'));
  if (input === undefined || output === undefined) return undefined;
  const cachedInput = toCount(memberOf(memberOf(usage, 'input_tokens_details'), 'cached_tokens')) ?? 0;
  const reasoning = toCount(memberOf(memberOf(usage, 'output_tokens_details'), 'reasoning_tokens')) ?? 0;
  return {
    input,
    output,
    ...(cachedInput === 0 ? {} : { cachedInput }),
    ...(reasoning === 0 ? {} : { reasoning }),
  };
}

/** The provider's own words about a response that failed. */
export function explanationOf(response: unknown) {
  const error = memberOf(response, 'error') ?? response;
  return {
    code: textMemberOf(error, 'code') || textMemberOf(error, 'type') || undefined,
    message: textMemberOf(error, 'message') || undefined,
  };
}

const KINDS: ReadonlyMap<unknown, ProviderFailureKind> = new Map<unknown, ProviderFailureKind>([
  ['rate_limit_exceeded', 'rate_limited'],
  ['insufficient_quota', 'quota_exhausted'],
  ['context_length_exceeded', 'context_too_long'],
  ['invalid_prompt', 'rejected_input'],
  ['server_error', 'unavailable'],
]);

function kindOfError(error: unknown): ProviderFailureKind {
  return KINDS.get(memberOf(error, 'code')) ?? 'malformed_answer';
}
