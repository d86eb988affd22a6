// An embedding and the limits of its request.
import { describe, expect, it } from 'vitest';
import { type EmbedPorts, embed } from '../../../core/cache/embed.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { createCircuitBreakers } from '../../../core/flow/circuit-breaker.ts';
import type { Spending } from '../../../core/limits/budget.ts';
import { ProviderFailure } from '../../../core/ports/providers.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { vectorAt } from './requests.ts';

const EMBEDDING = { provider: 'words', model: 'm' };

function createPorts(options: Partial<EmbedPorts> = {}) {
  const clock = createMemoryClock(0);
  const reserved: Spending[] = [];
  const settled: Spending[] = [];
  const ports: EmbedPorts = {
    clock,
    breakers: createCircuitBreakers(clock).within('org-1'),
    findEmbedding: () => ({ embed: async () => ({ vectors: [vectorAt(0)], tokensInput: 4 }) }),
    costOf: (_provider, _model, { input }) => input * 2,
    reserve: async (most) => {
      reserved.push(most);
      return { settle: (spent) => void settled.push(spent) };
    },
    ...options,
  };
  return { ports, reserved, settled };
}

describe('an embedding', () => {
  it('reserves its bytes and 64 tokens before it is made, and settles what it took', async () => {
    const { ports, reserved, settled } = createPorts();
    expect((await embed('né', EMBEDDING, ports)).call?.tokensInput).toBe(4);
    expect(reserved).toEqual([{ tokens: 67, costMicrodollars: 134 }]);
    expect(settled).toEqual([{ tokens: 4, costMicrodollars: 8 }]);
  });

  it('is not made where limits have no room for it', async () => {
    let made = 0;
    const { ports } = createPorts({
      reserve: () => Promise.reject(new ServiceError('rate_limited')),
      findEmbedding: () => ({
        embed: async () => {
          made += 1;
          return { vectors: [vectorAt(0)], tokensInput: 4 };
        },
      }),
    });
    expect(await embed('text', EMBEDDING, ports)).toEqual({ vector: undefined, call: undefined });
    expect(made).toBe(0);
  });

  it.each([
    ['that never reached its provider settles nothing', 'unavailable', { tokens: 0, costMicrodollars: 0 }],
    ['that failed late settles its reservation', 'timeout', { tokens: 68, costMicrodollars: 136 }],
  ] as const)('%s', async (_, kind, spent) => {
    const embedding = { embed: () => Promise.reject(new ProviderFailure(kind)) };
    const { ports, settled } = createPorts({ findEmbedding: () => embedding });
    expect((await embed('text', EMBEDDING, ports)).vector).toBeUndefined();
    expect(settled).toEqual([spent]);
  });

  it('that fails leaves calls of the same model alone', async () => {
    const embedding = { embed: () => Promise.reject(new ProviderFailure('timeout')) };
    const { ports } = createPorts({ findEmbedding: () => embedding });
    for (let time = 0; time < 5; time += 1) await embed('text', EMBEDDING, ports);
    expect(await embed('text', EMBEDDING, ports)).toEqual({ vector: undefined, call: undefined });
    expect(ports.breakers.retryAfterMs('words/m')).toBe(0);
  });

  it('that goes well does not close the circuit of calls', async () => {
    const { ports } = createPorts();
    for (let time = 0; time < 5; time += 1) ports.breakers.failed('words/m');
    expect((await embed('text', EMBEDDING, ports)).vector).toBeDefined();
    expect(ports.breakers.retryAfterMs('words/m')).toBe(10_000);
  });

  it('reserves nothing for a provider that makes none', async () => {
    const { ports, reserved } = createPorts({ findEmbedding: () => undefined });
    await embed('text', EMBEDDING, ports);
    expect(reserved).toEqual([]);
  });
});
