// Holds the client's types against the contract, which the package repeats because it imports nothing. Checked by tsc; run so that it is counted.
import { describe, expectTypeOf, it } from 'vitest';
import type {
  CallNeuronOptions,
  NeuronClientOptions,
  NeuronErrorBody,
  NeuronResponse,
  RetryOptions,
} from '../../client/src/index.ts';
import { NeuronClient, type NeuronError, runTools } from '../../client/src/index.ts';
import type { CALL_OPTIONS, CLIENT_OPTIONS, RETRY_OPTIONS } from '../../client/src/known-options.ts';
import type { SuccessBody } from '../../core/surfaces/native/answer.ts';
import type { ErrorBody } from '../../core/surfaces/native/errors.ts';

/** The names in a text that separates them by commas. */
type NamesIn<Text extends string> = Text extends `${infer First}, ${infer Rest}`
  ? First | NamesIn<Rest>
  : Text;
type KeysOf<Options> = Options extends unknown ? keyof Options : never;

it('knows the name of every option, and no other', () => {
  expectTypeOf<NamesIn<typeof CLIENT_OPTIONS>>().toEqualTypeOf<keyof NeuronClientOptions>();
  expectTypeOf<NamesIn<typeof RETRY_OPTIONS>>().toEqualTypeOf<keyof RetryOptions>();
  expectTypeOf<NamesIn<typeof CALL_OPTIONS>>().toEqualTypeOf<KeysOf<CallNeuronOptions>>();
});

describe('the types of the client', () => {
  it('are those of the contract for a success', () => {
    expectTypeOf<
      Omit<NeuronResponse, 'replayed' | 'feedback' | 'feedbackToken'>
    >().toEqualTypeOf<SuccessBody>();
  });

  it('are those of the contract for an error, with any code, since later releases add some', () => {
    expectTypeOf<Omit<NeuronErrorBody, 'code'>>().toEqualTypeOf<Omit<ErrorBody, 'code'>>();
    expectTypeOf<ErrorBody>().toExtend<NeuronErrorBody>();
    expectTypeOf<NeuronError['statusCode']>().toEqualTypeOf<ErrorBody['statusCode']>();
  });

  it('make rawOutput a string, its absence a body, and a boolean either', () => {
    const client = new NeuronClient();
    const raw = () => client.callNeuron('a', 'b', { rawOutput: true });
    const body = () => client.callNeuron('a', 'b', { input: 'x' });
    const either = (rawOutput: boolean) => client.callNeuron('a', 'b', { rawOutput });
    expectTypeOf(raw).returns.resolves.toEqualTypeOf<string>();
    expectTypeOf(body).returns.resolves.toEqualTypeOf<NeuronResponse>();
    expectTypeOf(either).returns.resolves.toEqualTypeOf<NeuronResponse | string>();
  });

  it('refuses options that do not exist', () => {
    const client = new NeuronClient();
    // @ts-expect-error misspelt options would otherwise be ignored in silence
    const wrong = () => client.callNeuron('a', 'b', { inputs: 'x' });
    expectTypeOf(wrong).toBeFunction();
  });
});

describe('what must not compile', () => {
  const client = new NeuronClient();
  const headers = { 'X-Count': 1 };

  it('is a revision without its key, or a key without its revision', () => {
    // @ts-expect-error a version is previewed with its key only
    const noKey = () => client.callNeuron('a', 'b', { revisionId: 'v1' });
    // @ts-expect-error a key alone names no version
    const noRevision = () => client.callNeuron('a', 'b', { key: 'k' });
    const both = () => client.callNeuron('a', 'b', { revisionId: 'v1', key: 'k' });
    const neither = () => client.callNeuron('a', 'b', { revisionId: undefined, key: undefined });
    for (const call of [noKey, noRevision, both, neither]) expectTypeOf(call).toBeFunction();
  });

  it('is an idempotency key beside one that is made, or one for a loop of calls', () => {
    // @ts-expect-error a key is given or made
    const both = () => client.callNeuron('a', 'b', { idempotencyKey: 'k', idempotent: true });
    // @ts-expect-error every call of a loop has another body
    const loop = () => runTools(client, 'a', 'b', { tools: [], idempotencyKey: 'k' });
    const each = () => runTools(client, 'a', 'b', { tools: [], idempotent: true });
    const one = () => client.stream('a', 'b', { idempotencyKey: 'k' });
    for (const call of [both, loop, each, one]) expectTypeOf(call).toBeFunction();
  });

  it('is an input, token, header or option of another type', () => {
    // @ts-expect-error the input is text
    const input = () => client.callNeuron('a', 'b', { input: 1 });
    // @ts-expect-error a token is text, or a function that gives text
    const token = () => client.setJwtOrApiKey(() => 1);
    // @ts-expect-error headers are text
    const header = () => client.callNeuron('a', 'b', { headers });
    // @ts-expect-error the neuron is wanted
    const neuron = () => client.callNeuron('a');
    // @ts-expect-error retries are switched off with false
    const retry = () => new NeuronClient({ retry: true });
    // @ts-expect-error the option is written baseURL
    const baseUrl = () => new NeuronClient({ baseUrl: 'https://a.example' });
    for (const wrong of [input, token, header, neuron, retry, baseUrl]) expectTypeOf(wrong).toBeFunction();
  });

  it('is an answer in raw mode as an object, and an output as if it were always there', () => {
    // @ts-expect-error raw mode gives a string
    const raw = async () => (await client.callNeuron('a', 'b', { rawOutput: true })).output;
    // @ts-expect-error a stopped run may have no output
    const output = async () => (await client.callNeuron('a', 'b')).output.length;
    for (const wrong of [raw, output]) expectTypeOf(wrong).toBeFunction();
  });

  it('is a change of an answer or an error', () => {
    const answer = (options: NeuronResponse) => {
      // @ts-expect-error answers are read-only
      options.fromCache = true;
    };
    const error = (options: NeuronError) => {
      // @ts-expect-error errors are read-only
      options.statusCode = 200;
    };
    for (const wrong of [answer, error]) expectTypeOf(wrong).toBeFunction();
  });
});
