// Resolves names with queries of its own (c-ares), which are bounded and cancelled when they are late. The system's lookup runs on the
// thread pool, four at a time, and goes on when its caller has given up: two slow names would hold up every other one.
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type AddressPolicy, mayConnect } from '../../core/settings/address-policy.ts';
import { HttpFailure } from './failure.ts';

export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

const TRY_MS = 1_000;
const TRIES = 2;
/** For a whole resolution, however many name servers there are. */
const RESOLVE_MS = 3_000;
/** How long IPv4 addresses wait for IPv6 ones: RFC 8305, section 3, the other way round, since functions always have IPv4. */
const SECOND_FAMILY_MS = 50;

/** Never queried (RFC 6761, section 6.3). The address policy decides whether it may be connected to. */
const LOCALHOST: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Callers that ask for the same name at the same time share one resolution. `servers`: those of the system, replaced in tests. */
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

/**
 * A `lookup` for `net.connect` that gives permitted addresses only. The socket connects to the very address that was checked, so that
 * a name cannot be pointed elsewhere in between (DNS rebinding). Fails with `HttpFailure` `refused` when no address is permitted.
 */
export function createCheckedLookup(resolve: ResolveHost, policy: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    resolvePermitted(hostname, familyOf(options.family), resolve, policy).then(
      (addresses) => {
        const [first] = addresses;
        // Node's default: it asks for all addresses and tries IPv6 and IPv4 in turn.
        if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (thrown: Error) => callback(thrown, options.all === true ? [] : ''),
    );
  };
}

async function resolvePermitted(
  hostname: string,
  family: number,
  resolve: ResolveHost,
  policy: AddressPolicy,
): Promise<readonly [LookupAddress, ...LookupAddress[]]> {
  const found = await resolve(hostname);
  const permitted = found.filter(({ address }) => mayConnect(hostname, address, policy));
  const [first, ...rest] = permitted.filter((one) => family === 0 || one.family === family);
  if (first !== undefined) return [first, ...rest];
  if (found.length === 0) throw new HttpFailure('unreachable', `${hostname} has no address`);
  throw new HttpFailure('refused', `${hostname} has no address that may be connected to`);
}

function familyOf(family: number | 'IPv4' | 'IPv6' | undefined): number {
  if (family === 'IPv4') return 4;
  if (family === 'IPv6') return 6;
  return family ?? 0;
}
