// The execution id of an error: answers that API Gateway makes by itself may leave it empty, or as their template spells it.
import { describe, expect, it } from 'vitest';
import { NeuronClient } from '../../client/src/index.ts';

const UNFILLED = '$context.extendedRequestId';

describe('the execution id of an error', () => {
  it.each([
    { body: '', header: undefined, executionId: undefined },
    { body: '', header: '', executionId: undefined },
    { body: UNFILLED, header: undefined, executionId: undefined },
    { body: UNFILLED, header: UNFILLED, executionId: undefined },
    { body: '', header: 'JJkw+Abc/Foo=', executionId: 'JJkw+Abc/Foo=' },
    { body: UNFILLED, header: 'JJkw+Abc/Foo=', executionId: 'JJkw+Abc/Foo=' },
    { body: 'JJkw+Abc/Foo=', header: undefined, executionId: 'JJkw+Abc/Foo=' },
  ])('is what API Gateway filled in, else missing: %j', async ({ body, header, executionId }) => {
    const answer = { error: 'Route not found.', statusCode: 404, code: 'route_not_found', executionId: body };
    const headers = header === undefined ? {} : { 'X-Execution-Id': header };
    const fetch = async () => new Response(JSON.stringify(answer), { status: 404, headers });
    const client = new NeuronClient({ fetch });
    const error = await client.callNeuron('acme', 'hello').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'NeuronError', code: 'route_not_found', executionId });
  });
});
