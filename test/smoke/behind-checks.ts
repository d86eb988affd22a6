// Checks of what works behind the answers: usage from the log's stream, entries from lines, semantic answers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Check, type Deployment, expectAnswer, type Outcome } from './check.ts';
import { ORGANIZATION } from './settings.ts';

/** Lambda gathers entries for five seconds, and a stream that was just made takes a while to be read. */
const USAGE_TRIES = 30;

/** Lifetime of the key that is to expire: long enough for one call. */
const KEY_MS = 10_000;

/** Each is asked once: an input that missed is found by its words from then on. */
const SIMILAR = ['please', 'now', 'here', 'again', 'then', 'myself', 'quickly', 'online'];

export const BEHIND_CHECKS: readonly Check[] = [
  {
    name: 'key-expires',
    claim: 'an authorizer knows what time it is: a key that expires is accepted until then, and not after',
    run: keyExpires,
  },
  {
    name: 'usage-follows',
    claim: "the rollup function reads the log table's stream and may write usage",
    run: usageFollows,
  },
  {
    name: 'seals-hold',
    claim:
      'an item of the stream has the digest of the same item of the table, and the function may append to the chain',
    run: sealsHold,
  },
  {
    name: 'export-verifies',
    claim: 'an export of the log holds by the seals that are exported with it',
    run: exportVerifies,
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

async function keyExpires({ neuron, call }: Deployment): Promise<Outcome> {
  const words = [
    'keys',
    'create',
    ORGANIZATION,
    '--name',
    'smoke',
    '--expires',
    `${KEY_MS / 1000}s`,
    '--json',
  ];
  const { stdout, stderr, exitCode } = await neuron(words);
  if (exitCode !== 0) return { failed: stderr };
  const { key, expiresAt } = JSON.parse(stdout) as { readonly key: string; readonly expiresAt: string };
  const present = () =>
    call(`/${ORGANIZATION}/private`, {
      json: { input: 'Hello' },
      headers: { authorization: `Bearer ${key}` },
    });
  const before = expectAnswer(await present(), 200);
  if (!('ok' in before)) return before;
  // A second more, since two clocks are compared.
  await sleep(Math.max(0, Date.parse(expiresAt) - Date.now()) + 1_000);
  return expectAnswer(await present(), 401, 'unauthorized');
}

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

async function sealsHold({ neuron }: Deployment): Promise<Outcome> {
  let seen = '';
  for (let look = 0; look < USAGE_TRIES; look += 1) {
    const { stdout, stderr } = await neuron(['logs', 'verify', ORGANIZATION, '--since', '1h', '--json']);
    const last = stdout.trim().split('\n').at(-1) ?? '';
    if (last === '') return { failed: stderr };
    const { intact, whole, unsealed } = JSON.parse(last) as Readonly<Record<string, unknown>>;
    if (intact === false) return { failed: stdout };
    if (Number(whole) > 0 && unsealed === 0) return { ok: `${Number(whole)} entries are whole` };
    seen = last;
    await sleep(1_000);
  }
  return { failed: `not sealed after ${USAGE_TRIES} s: ${seen}` };
}

async function exportVerifies({ neuron }: Deployment): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'neuron-smoke-'));
  try {
    const file = join(folder, 'log.parquet');
    const words = ['logs', 'export', ORGANIZATION, '--since', '1h', '--format', 'parquet', '--out', file];
    const exported = await neuron(words);
    if (exported.exitCode !== 0) return { failed: exported.stderr };
    const { stdout, exitCode } = await neuron(['logs', 'verify', `${file}.manifest.json`]);
    return exitCode === 0 ? { ok: stdout.trim() } : { failed: stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
