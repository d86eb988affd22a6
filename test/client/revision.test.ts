// Calls of one version, and secrets that no error may repeat.
import { describe, expect, it } from 'vitest';
import { type CallNeuronOptions, NeuronClient } from '../../client/src/index.ts';
import { scriptService } from './scripted-service.ts';

const ok = () => scriptService([{ after: 0, outcome: { status: 200 } }]);

describe('a call of one version', () => {
  it('goes to its path, with the preview key in a header and not in the address', async () => {
    const { received, fetch } = ok();
    await new NeuronClient({ fetch }).callNeuron('acme', 'hello', {
      revisionId: 'v3',
      key: 'geheim',
      bypassCache: true,
    });
    expect(received[0]?.url).toBe('http://127.0.0.1:3000/acme/hello/v3?bypassCache=true');
    expect(received[0]?.headers.get('X-Preview-Key')).toBe('geheim');
  });

  it('refuses a revision without its key, a key without its revision, and what is no id', async () => {
    const { received, fetch } = ok();
    const client = new NeuronClient({ fetch });
    for (const options of [{ revisionId: 'v3' }, { key: 'geheim' }, { revisionId: '../x', key: 'geheim' }]) {
      const call = client.callNeuron('acme', 'hello', options as CallNeuronOptions);
      await expect(call).rejects.toThrow(TypeError);
      await expect(call).rejects.not.toThrow(/geheim/);
    }
    expect(received).toEqual([]);
  });
});

describe('an error', () => {
  it("repeats neither the preview key nor the credentials of a caller's own header", async () => {
    const fetch = async () =>
      new Response('{"error":"Basic geheim-1 and geheim-2","code":"geheim-1","executionId":"geheim-2"}', {
        status: 400,
      });
    const call = new NeuronClient({ fetch }).callNeuron('acme', 'hello', {
      headers: { authorization: 'Basic geheim-1' },
      revisionId: 'v3',
      key: 'geheim-2',
    });
    await expect(call).rejects.toMatchObject({
      error: 'Basic [token] and [token]',
      code: '[token]',
      executionId: '[token]',
    });
  });

  it('converts a Retry-After date to seconds', async () => {
    const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
    for (const [header, least, most] of [
      [inTwoMinutes, 110, 121],
      ['Wed, 21 Oct 2015 07:28:00 GMT', 0, 0],
    ] as const) {
      const fetch = async () => new Response('', { status: 503, headers: { 'Retry-After': header } });
      const error = await new NeuronClient({ fetch, retry: false })
        .callNeuron('acme', 'hello')
        .catch((thrown: unknown) => thrown as { retryAfter: number });
      expect(error).toMatchObject({ retryAfter: expect.any(Number) });
      expect((error as { retryAfter: number }).retryAfter).toBeGreaterThanOrEqual(least);
      expect((error as { retryAfter: number }).retryAfter).toBeLessThanOrEqual(most);
    }
  });

  it('does not truncate a long number', async () => {
    const headers = { 'Retry-After': '9'.repeat(400) };
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      return new Response('', { status: 503, headers });
    };
    const call = new NeuronClient({ fetch }).callNeuron('acme', 'hello');
    await expect(call).rejects.toMatchObject({ retryAfter: Number.MAX_SAFE_INTEGER });
    expect(calls).toBe(1);
  });

  it('ignores any other Retry-After', async () => {
    for (const header of ['soon', '-1', '1.5', '']) {
      const fetch = async () => new Response('', { status: 429, headers: { 'Retry-After': header } });
      const call = new NeuronClient({ fetch, retry: false }).callNeuron('acme', 'hello');
      await expect(call).rejects.toMatchObject({ statusCode: 429, retryAfter: undefined });
    }
  });
});
