// The most that a single request can be booked: every attempt on its longest way through the flow, each at its whole reservation.

import { MAX_IMAGES } from '../../../conversation/check-transcript.ts';
import { MAX_MESSAGES } from '../../../conversation/parse-messages.ts';
import { MAX_TOOLS } from '../../../conversation/parse-tools.ts';
import { MAX_TOKENS_PER_IMAGE, TOKENS_PER_MESSAGE } from '../../../flow/usage-totals.ts';
import type { TokenUsage } from '../../../ports/providers.ts';
import type { Acceptable, CallModel, Flow, Step } from '../../../settings/flow-schema.ts';
import {
  isPlaceholder,
  PLACEHOLDER,
  type Placeholder,
  placeholdersOf,
} from '../../../settings/placeholders.ts';
import { utf8Bytes } from '../../../text/utf8.ts';

/** What decides how large a request may become. */
export interface RequestBounds {
  readonly maxInputBytes: number;
  /** Retries of every model call; undefined: as each call says. */
  readonly retries: 0 | undefined;
  /** What an attempt comes to, in the unit of a limit: tokens or microdollars. */
  readonly amountOf: (provider: string, model: string, usage: TokenUsage) => number;
}

/** What a run has come to where a step begins; texts in bytes. */
interface State {
  readonly system: number | undefined;
  readonly output: number;
  readonly amount: number;
}

/** Where a run may be after some steps: the largest of each among the ways that go on, and the largest amount of those that have ended. */
interface Reached {
  readonly state: State | undefined;
  readonly ended: number;
}

/** Models write about four bytes a token. It matters only where one call is given the output of another. */
const BYTES_PER_TOKEN = 4;

/** The longest texts that the other placeholders stand for. */
const OTHER_BYTES = { username: 1024, 'execution.id': 64, now: 24 } as const;

/** The largest amount of one run, whichever branches it takes. */
export function largestRequest(flow: Flow, bounds: RequestBounds): number {
  const { state, ended } = follow(flow, { system: undefined, output: 0, amount: 0 }, bounds);
  return Math.max(state?.amount ?? 0, ended);
}

function follow(flow: Flow, start: State, bounds: RequestBounds): Reached {
  return flow.reduce<Reached>(
    ({ state, ended }, step) => {
      if (state === undefined) return { state, ended };
      const next = take(step, state, bounds);
      return { state: next.state, ended: Math.max(ended, next.ended) };
    },
    { state: start, ended: 0 },
  );
}

function take(step: Step, state: State, bounds: RequestBounds): Reached {
  const bytes = (text: string): number => renderedBytes(text, bounds.maxInputBytes, state.output);
  const branch = (...flows: readonly (Flow | undefined)[]): Reached =>
    flows.map((flow) => follow(flow ?? [], state, bounds)).reduce(widest);
  if ('ifInputContains' in step) return branch(step.ifInputContains.then, step.ifInputContains.else);
  if ('ifOutputContains' in step) return branch(step.ifOutputContains.then, step.ifOutputContains.else);
  if ('randomizedSplit' in step) return branch(step.randomizedSplit.a, step.randomizedSplit.b);
  if ('serveOutput' in step || 'stop' in step) return { state: undefined, ended: state.amount };
  if ('callModel' in step) return goOn(call(step.callModel, state, bounds));
  const { text, append } = instructionsOf(step.systemInstructions);
  return goOn({ ...state, system: (append ? (state.system ?? 0) : 0) + bytes(text) });
}

function goOn(state: State): Reached {
  return { state, ended: 0 };
}

function widest(one: Reached, other: Reached): Reached {
  const ended = Math.max(one.ended, other.ended);
  if (one.state === undefined || other.state === undefined) return { state: one.state ?? other.state, ended };
  const system = Math.max(one.state.system ?? -1, other.state.system ?? -1);
  return {
    state: {
      system: system < 0 ? undefined : system,
      output: Math.max(one.state.output, other.state.output),
      amount: Math.max(one.state.amount, other.state.amount),
    },
    ended,
  };
}

/** Each target may be asked once and again for each retry, and every attempt that may have worked is booked. */
function call(settings: CallModel, state: State, bounds: RequestBounds): State {
  const { provider, model, fallbacks, maxTokens } = settings;
  const attempts = 1 + (bounds.retries ?? settings.retries);
  const usage = { input: inputTokens(settings, state, bounds.maxInputBytes), output: maxTokens };
  const amounts = [{ provider, model }, ...fallbacks].map(
    (target) => attempts * bounds.amountOf(target.provider, target.model, usage),
  );
  return {
    system: state.system,
    output: maxTokens * BYTES_PER_TOKEN,
    amount: amounts.reduce((sum, amount) => sum + amount, state.amount),
  };
}

/** As an attempt reserves: a token for each byte, and some for each message, image, tool and schema that a caller may send. */
function inputTokens(
  { prompt, accepts, outputSchema }: CallModel,
  state: State,
  maxInputBytes: number,
): number {
  const may = (...what: readonly Acceptable[]): boolean => what.some((one) => accepts.includes(one));
  const rendered = renderedBytes(prompt ?? '', maxInputBytes, state.output);
  // All of a conversation together has at most `maxInputBytes`, its last turn in the place of {{input}}.
  const isInput = prompt !== undefined && placeholdersOf(prompt).includes('input');
  const rest = !isInput && (prompt === undefined || accepts.length > 0) ? maxInputBytes : 0;
  const schema = outputSchema === undefined ? undefined : utf8Bytes(JSON.stringify(outputSchema));
  const messages =
    (may('history', 'tools') ? MAX_MESSAGES : 1) +
    (may('tools') ? MAX_TOOLS : 0) +
    (state.system !== undefined || may('system') ? 1 : 0) +
    (schema !== undefined || may('schema') ? 1 : 0);
  return (
    (state.system ?? 0) +
    rendered +
    rest +
    (schema ?? 0) +
    messages * TOKENS_PER_MESSAGE +
    (may('images') ? MAX_IMAGES * MAX_TOKENS_PER_IMAGE : 0)
  );
}

function instructionsOf(written: InstructionsOf): { readonly text: string; readonly append: boolean } {
  if (typeof written === 'string') return { text: written, append: false };
  // A file is read before a flow is validated for good; its text is not known before.
  return { text: 'text' in written ? written.text : '', append: written.append };
}

type InstructionsOf = Extract<Step, { readonly systemInstructions: unknown }>['systemInstructions'];

function renderedBytes(text: string, input: number, output: number): number {
  const values: Readonly<Record<Placeholder, number>> = { input, output, ...OTHER_BYTES };
  let bytes = utf8Bytes(text);
  for (const [written = '', name = ''] of text.matchAll(PLACEHOLDER)) {
    if (isPlaceholder(name)) bytes += values[name] - written.length;
  }
  return bytes;
}
