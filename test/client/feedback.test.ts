// Feedback by the client: from an answer, from a token alone, and from a stream.
import { describe, expect, it } from 'vitest';
import { NeuronClient } from '../../client/src/index.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** A `fetch` that answers with what it is given and keeps what it was asked. */
function scripted(answer: () => Response): { readonly sent: Sent[]; readonly fetch: typeof fetch } {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init });
      return answer();
    },
  };
}

const SUCCESS = '{"output":"Hi","fromCache":false,"executionStopped":false}';
const ok = () => new Response(SUCCESS, { headers: { 'Content-Type': 'application/json' } });
const headersOf = (sent: Sent | undefined) => new Headers(sent?.init.headers);

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => error,
  );
}

describe('feedback on an answer', () => {
  const taking = () =>
    new Response(SUCCESS, { headers: { 'Content-Type': 'application/json', 'X-Feedback-Token': 'tok-1' } });
  /** Answers the call, then the feedback with `then`. */
  const answering = (then: () => Response) => {
    let calls = 0;
    return scripted(() => {
      calls += 1;
      return calls === 1 ? taking() : then();
    });
  };
  const created = () => new Response('{"id":"e1#helpful"}', { status: 201 });

  it('goes to the neuron with the token of the answer, by the credential of its call', async () => {
    const { sent, fetch } = answering(created);
    const client = new NeuronClient({ baseURL: 'https://api.example.com/prod', fetch, jwtOrApiKey: 'other' });
    const answer = await client.callNeuron('acme', 'hello', { input: 'Hello', jwtOrApiKey: 'jwt-of-ada' });
    await answer.feedback?.('helpful', true, 'thanks');
    expect(sent[1]?.url).toBe('https://api.example.com/prod/acme/hello/feedback');
    expect(headersOf(sent[1]).get('authorization')).toBe('Bearer jwt-of-ada');
    expect(JSON.parse(String(sent[1]?.init.body))).toEqual({
      token: 'tok-1',
      metric: 'helpful',
      value: true,
      comment: 'thanks',
    });
  });

  it('can be sent by the token alone, which JSON of the answer holds', async () => {
    const { sent, fetch } = answering(created);
    const client = new NeuronClient({ fetch });
    const copy = JSON.parse(JSON.stringify(await client.callNeuron('acme', 'hello')));
    expect(copy).toEqual({ ...JSON.parse(SUCCESS), feedbackToken: 'tok-1' });
    await client.sendFeedback('acme', 'hello', { token: copy.feedbackToken, metric: 'stars', value: 4 });
    expect(JSON.parse(String(sent[1]?.init.body))).toEqual({ token: 'tok-1', metric: 'stars', value: 4 });
  });

  it('throws what the service answers, and tries a 409 only once', async () => {
    const body = { error: 'This answer has a value', statusCode: 409, code: 'feedback_exists' };
    const { sent, fetch } = answering(() => Response.json(body, { status: 409 }));
    const answer = await new NeuronClient({ fetch }).callNeuron('acme', 'hello');
    const error = await thrownBy(answer.feedback!('helpful', true));
    expect(error).toMatchObject({ statusCode: 409, code: 'feedback_exists' });
    expect(sent).toHaveLength(2);
  });

  it('is absent where the neuron takes none, and comes with the result of a stream', async () => {
    const plain = await new NeuronClient({ fetch: scripted(ok).fetch }).callNeuron('acme', 'hello');
    expect([plain.feedback, plain.feedbackToken]).toEqual([undefined, undefined]);
    const { fetch } = scripted(
      () =>
        new Response(`event: result\ndata: ${SUCCESS}\n\n`, {
          headers: { 'Content-Type': 'text/event-stream', 'X-Feedback-Token': 'tok-2' },
        }),
    );
    const result = await new NeuronClient({ fetch }).stream('acme', 'hello').result();
    expect([result.feedbackToken, typeof result.feedback]).toEqual(['tok-2', 'function']);
  });

  it.each(['..', 'a/b', 'Acme'])('refuses the slug %j before anything is sent', async (slug) => {
    const { sent, fetch } = scripted(created);
    const client = new NeuronClient({ fetch });
    const error = await thrownBy(client.sendFeedback(slug, 'hello', { token: 't', metric: 'm', value: 1 }));
    expect([error instanceof TypeError, sent]).toEqual([true, []]);
  });
});
