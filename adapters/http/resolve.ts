// Resolves names by queries of this process's own (c-ares): bounded, and cancelled when they are late. The system's lookup runs on
// the thread pool, four at a time, and goes on when its caller has given up: two slow names would hold up every other one.
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** Every address of a name. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

const TRY_MS = 1_000;
const TRIES = 2;
/** A resolution as a whole, however many name servers there are. */
const RESOLVE_MS = 3_000;
/** How long addresses of IPv4 wait for those of IPv6, as RFC 8305, section 3, has it the other way round: functions have IPv4 always. */
const SECOND_FAMILY_MS = 50;

/** Never asked for (RFC 6761, section 6.3). Whether it may be connected to is for the address policy to say. */
const LOCALHOST: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** One resolution at a time for each name, however many wait for it. `servers` is for tests: by default those of the system. */
export function createResolve(servers?: readonly string[]): ResolveHost {
  const running = new Map<string, Promise<readonly LookupAddress[]>>();
  return async (hostname) => {
    if (hostname === 'localhost') return LOCALHOST;
    const shared = running.get(hostname);
    if (shared !== undefined) return shared;
    const started = query(hostname, servers).finally(() => running.delete(hostname));
    running.set(hostname, started);
    return started;
  };
}

/** Rejects when neither family has an answer in time. */
async function query(
  hostname: string,
  servers: readonly string[] | undefined,
): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const late = setTimeout(() => resolver.cancel(), RESOLVE_MS);
  try {
    const six = settle(resolver.resolve6(hostname), 6);
    const four = await settle(resolver.resolve4(hostname), 4);
    const isEnough = four.found.length > 0;
    const other = isEnough ? await Promise.race([six, wait(SECOND_FAMILY_MS, NOTHING)]) : await six;
    const found = [...four.found, ...other.found];
    if (found.length === 0 && four.error !== undefined) throw four.error;
    return found;
  } finally {
    clearTimeout(late);
    resolver.cancel();
  }
}

interface Answers {
  readonly found: readonly LookupAddress[];
  readonly error?: unknown;
}

const NOTHING: Answers = { found: [] };

function settle(answers: Promise<readonly string[]>, family: 4 | 6): Promise<Answers> {
  return answers.then(
    (addresses) => ({ found: addresses.map((address) => ({ address, family })) }),
    (error: unknown) => ({ found: [], error }),
  );
}
