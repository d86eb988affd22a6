// One public neuron with the echo provider, applied to in-memory stores as the product does it.
import { systemClock } from '../../adapters/platform/clock.ts';
import { type ApplyPorts, applyChanges } from '../../core/admin/apply/apply.ts';
import { planChanges } from '../../core/admin/apply/plan.ts';
import { createMemoryConfig, type MemoryConfig } from '../../test/support/memory/admin-store.ts';

/** The documents of every measurement. */
const INPUT = {
  organizations: [
    { slug: 'acme', document: { organization: 'acme', providers: { demo: { type: 'echo' as const } } } },
  ],
  neurons: [
    {
      organization: 'acme',
      slug: 'hello',
      settings: {
        neuron: 'acme/hello',
        access: { public: true },
        // Never reached: the cost of a limit is measured.
        rateLimits: [
          { metric: 'requests' as const, scope: 'ip' as const, limit: 1_000_000_000, period: '1m' as const },
        ],
      },
      flow: [{ callModel: { provider: 'demo', model: 'echo-1' } }],
    },
  ],
};

/** The same ids every time: the two functions must use the same ids without a common store. */
function createCountingRandom(): ApplyPorts['random'] {
  let made = 0;
  return {
    fraction: () => 0,
    bytes(count) {
      made += 1;
      return new Uint8Array(count).fill(made);
    },
  };
}

const NO_SECRETS: ApplyPorts['secrets'] = {
  list: async () => [],
  set: async () => undefined,
  remove: async () => false,
  mintKeys: async () => undefined,
  rotateLogKey: async () => ({ current: '', previous: undefined }),
  removeAll: async () => undefined,
};

/** Applies the documents to a store, and mints the key of the log's hashes where there are secrets. */
export async function seed(
  store: ApplyPorts['store'],
  { random = createCountingRandom(), secrets = NO_SECRETS }: Partial<ApplyPorts> = {},
): Promise<void> {
  const ports: ApplyPorts = {
    store,
    secrets,
    keys: { revokeAll: async () => 0 },
    clock: systemClock,
    random,
    author: 'bench',
  };
  const { changes } = planChanges(INPUT, [], { deploy: 'changed', prune: false });
  for await (const _change of applyChanges(changes, ports));
}

/** A store that holds the documents. */
export async function seededConfig(): Promise<MemoryConfig> {
  const config = createMemoryConfig();
  await seed(config.admin);
  return config;
}
