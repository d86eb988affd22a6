// The measuring process: one authorizer, thousands of different tokens of each algorithm.
import { sum } from '../core/text/numbers.ts';
import { signWithKey, signWithSecret } from '../test/core/access/tokens.ts';
import { createWarmAuthorizer, WARM_KEYS } from '../test/support/warm-authorizer.ts';
import type { TokenCost } from './authorizer-tokens.ts';
import { percentile, round } from './statistics.ts';

const WARM_UP = 500;
const REQUESTS = 3_000;

const exp = Math.floor(Date.now() / 1000) + 600;
const SIGNERS = {
  HS256: (jti: string) => signWithSecret({ sub: 'ada', exp, jti }, { alg: 'HS256' }),
  ...Object.fromEntries(
    Object.entries(WARM_KEYS).map(([alg, { privateKey }]) => [
      alg,
      (jti: string) => signWithKey(privateKey, { sub: 'ada', exp, jti }, { alg, kid: alg }),
    ]),
  ),
};

const costs: TokenCost[] = [];
for (const [algorithm, sign] of Object.entries(SIGNERS)) {
  const { steps, call } = createWarmAuthorizer();
  const neuron = algorithm === 'HS256' ? 'secret' : 'jwks';
  const samples: number[] = [];
  let before = 0;
  for (let number = 0; number < WARM_UP + REQUESTS; number += 1) {
    const token = sign(String(number));
    if (number === 1) before = sum(Object.values(steps));
    const start = process.cpuUsage();
    await call(neuron, token);
    const { user, system } = process.cpuUsage(start);
    if (number >= WARM_UP) samples.push((user + system) / 1000);
  }
  costs.push({
    algorithm,
    p50: round(percentile(samples, 0.5)),
    p99: round(percentile(samples, 0.99)),
    steps: sum(Object.values(steps)) - before,
  });
}
process.send?.(costs);
process.disconnect();
