// Holds the client's types against the contract, which the package repeats because it imports nothing. Judged by tsc; run to be seen.
import { describe, expectTypeOf, it } from 'vitest';
import type { NeuronErrorBody, NeuronResponse } from '../../client/src/index.ts';
import { NeuronClient, type NeuronError } from '../../client/src/index.ts';
import type { SuccessBody } from '../../core/contract/answer.ts';
import type { ErrorBody } from '../../core/contract/error-body.ts';

describe('the types of the client', () => {
  it('are those of the contract for a success', () => {
    expectTypeOf<NeuronResponse>().toEqualTypeOf<SuccessBody>();
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
