// Checks of what works behind the answers: usage from the log's stream, entries from lines, semantic answers.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Check, Deployment, Outcome } from './check.ts';
import { ORGANIZATION } from './settings.ts';

/** Lambda gathers entries for five seconds, and a stream that was just made takes a while to be read. */
const USAGE_TRIES = 30;

/** Each is asked once: an input that missed is found by its words from then on. */
const SIMILAR = ['please', 'now', 'here', 'again', 'then', 'myself', 'quickly', 'online'];

export const BEHIND_CHECKS: readonly Check[] = [
  {
    name: 'usage-follows',
    claim: "the rollup function reads the log table's stream and may write usage",
    run: usageFollows,
  },
  {
    name: 'lines-are-found',
    claim: 'the lines of the functions stay JSON at the root, and FilterLogEvents finds them',
    run: linesAreFound,
  },
  {
    name: 'semantic-search',
    claim: "the execution function may search the cache's vector index",
    run: similarInputIsFound,
  },
];

async function usageFollows({ neuron }: Deployment): Promise<Outcome> {
  for (let look = 0; look < USAGE_TRIES; look += 1) {
    const { stdout, stderr, exitCode } = await neuron(['usage', ORGANIZATION, '--period', 'day', '--json']);
    if (exitCode !== 0) return { failed: stderr };
    const { totals } = JSON.parse(stdout) as { readonly totals: { readonly requests: number } };
    if (totals.requests > 0) return { ok: `${totals.requests} requests` };
    await sleep(1_000);
  }
  return { failed: `no request in the usage after ${USAGE_TRIES} s` };
}

async function linesAreFound({ neuron }: Deployment): Promise<Outcome> {
  const { stdout, stderr, exitCode } = await neuron(['logs', 'restore']);
  if (exitCode !== 0) return { failed: stderr };
  const found = Number(/ of (\d+) entr/.exec(stdout)?.[1] ?? 0);
  return found > 0 ? { ok: `${found} lines` } : { failed: `no line was found: ${stdout}` };
}

async function similarInputIsFound({ call }: Deployment): Promise<Outcome> {
  const ask = async (input: string) => {
    const { headers } = await call(`/${ORGANIZATION}/similar`, { json: { input } });
    return headers['x-cache'];
  };
  await ask('How do I reset the password of my account');
  const seen: unknown[] = [];
  for (const word of SIMILAR) {
    await sleep(500);
    seen.push(await ask(`How do I reset the password of my account ${word}`));
    if (seen.at(-1) === 'semantic') return { ok: `after ${seen.length} tries` };
  }
  return { failed: `X-Cache was ${seen.join(', ')}` };
}
