// The name of a caller behind `usernameAs`: the digest, or no name at all, on the record and in the entry.
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../../core/contract/log-entry.ts';
import { digestUsername } from '../../../../core/ports/user-key.ts';
import type { ExecutionPorts } from '../../../../lambdas/execute/compose.ts';
import { serve } from '../../../../lambdas/execute/serve.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../../support/memory/response-cache.ts';
import { eventOf, portsOf } from '../memory-ports.ts';
import { finish } from '../served.ts';

const ANN = 'ann@example.com';
const KEY = 'k'.repeat(44);
type Read = ExecutionPorts['secrets']['read'];

/** A call of Ann's: its status, its text, its entry, and everything that was kept. */
async function callAsAnn(usernameAs: 'hmac' | 'plain' | undefined, read: Read, neuronId = 'hello') {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  const lines: string[] = [];
  const jwt = {
    sharedSecret: { secret: 'shared' },
    usernamePath: 'sub',
    ...(usernameAs === undefined ? {} : { usernameAs }),
  };
  const memory = portsOf(
    {
      providers: { demo: { type: 'echo' } },
      neurons: {
        hello: {
          settings: { access: { jwt } },
          flow: [{ callModel: { provider: 'demo', model: 'echo-1', prompt: '{{username}}: {{input}}' } }],
        },
      },
    },
    createMemoryCounters(),
    {
      clock,
      responses: createMemoryResponseCache(),
      logs: { put: async (entry) => entries.push(entry) > 0 },
      openHttp: () => {
        throw new Error('nothing is asked');
      },
    },
  );
  const event = eventOf('hello', { input: 'Hi' }, { stream: false }, 'call-1', clock) as Parameters<
    typeof serve
  >[0];
  Object.assign(event.requestContext.authorizer ?? {}, {
    authentication: 'jwt',
    neuronId,
    username: Buffer.from(ANN).toString('base64url'),
  });
  const ports: ExecutionPorts = {
    ...memory,
    secrets: { read },
    lines: { write: (line: string) => void lines.push(line) },
  };
  const { status, body } = await finish(await serve(event, new AbortController().signal, ports));
  return { status, text: String(body), entry: entries[0], kept: JSON.stringify([entries, lines, body]) };
}

const withKey: Read = async (organizationId, purpose, name) =>
  `${organizationId}/${purpose}/${name}` === 'org-1/providers/user:hmac' ? KEY : undefined;

describe('usernameAs: hmac', () => {
  it('puts the digest in place of the name in entry, line and texts of the flow', async () => {
    const { status, text, entry, kept } = await callAsAnn('hmac', withKey);
    const digest = digestUsername(ANN, KEY);
    expect([status, entry?.username, entry?.authentication]).toEqual([200, digest, 'jwt']);
    expect(text).toContain(`${digest}: Hi`);
    expect(kept).not.toContain('ann@');
  });

  it('answers 503 while the key cannot be read, and names nobody in the entry', async () => {
    const { status, entry, kept } = await callAsAnn('hmac', async () => {
      throw new Error('throttled');
    });
    expect([status, entry?.code, entry?.username, entry?.authentication]).toEqual([
      503,
      'dependency_unavailable',
      undefined,
      'jwt',
    ]);
    expect(kept).not.toContain('ann@');
  });

  it('answers 500 without a key, says what to do in the log, and names nobody', async () => {
    const { status, entry, kept, text } = await callAsAnn('hmac', async () => undefined);
    expect([status, entry?.code, entry?.username]).toEqual([500, 'configuration', undefined]);
    expect(entry?.reason).toContain('user:hmac');
    expect(text).not.toContain('user:hmac');
    expect(kept).not.toContain('ann@');
  });

  it('names nobody where the settings are those of another neuron', async () => {
    const { status, entry, kept } = await callAsAnn('hmac', withKey, 'gone');
    expect([status, entry?.username]).toEqual([404, undefined]);
    expect(kept).not.toContain('ann@');
  });
});

it.each(['plain', undefined] as const)('keeps the name with usernameAs %s, and reads no key', async (as) => {
  const read: Read = async (_organizationId, _purpose, name) => {
    if (name === 'user:hmac') throw new Error('nobody asked for it');
    return undefined;
  };
  const { status, entry, text } = await callAsAnn(as, read);
  expect([status, entry?.username]).toEqual([200, ANN]);
  expect(text).toContain('ann@example.com: Hi');
});
