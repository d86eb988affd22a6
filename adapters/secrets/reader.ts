// Reads secrets through a cache: a warm request waits for no secret, and a change is seen within the stage's waiting time.
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SecretReader } from '../../core/ports/stores.ts';
import type { Clock } from '../../core/time/clock.ts';
import { createSecretsClient } from './client.ts';
import { readCurrent, type SecretValues, secretIdOf } from './secret-value.ts';

/** How the reader is set up; times in milliseconds. */
export interface SecretReaderSettings {
  readonly prefix: string;
  /** How long a value is used without reading it again. */
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly client?: SecretsManagerClient;
}

/** A name that is not set is asked for again soon: its operator is about to set it. */
const MISSING_MS = 1_000;
/** A provider that refuses a key cannot make every request read the secret. */
const FRESH_EVERY_MS = 30_000;
/** Secrets kept; each is at most 64 KB. */
const MAXIMUM = 500;

interface Cached {
  readonly values: SecretValues;
  readonly readAtMs: number;
}

interface State {
  readonly settings: SecretReaderSettings & { readonly client: SecretsManagerClient };
  /** In the order of last use, the oldest first. */
  readonly cached: Map<string, Cached>;
  readonly reading: Map<string, Promise<Cached>>;
  readonly freshAtMs: Map<string, number>;
}

/** The reader of a function or command. A failed read throws and is not remembered: who needs the secret stays closed. */
export function createSecretReader(settings: SecretReaderSettings): SecretReader {
  const client = settings.client ?? createSecretsClient();
  const state: State = {
    settings: { ...settings, client },
    cached: new Map(),
    reading: new Map(),
    freshAtMs: new Map(),
  };
  return {
    async read(organizationId, purpose, name, detail = {}) {
      const secretId = secretIdOf(settings.prefix, organizationId, purpose);
      const known = state.cached.get(secretId);
      const usable =
        known !== undefined &&
        isUsable(known, name, settings) &&
        !(detail.fresh && mayReadFresh(state, secretId));
      const { values } = usable ? keep(state, secretId, known) : await readOnce(state, secretId);
      return values.get(name);
    },
  };
}

function isUsable(
  { values, readAtMs }: Cached,
  name: string,
  { ttlMs, clock }: SecretReaderSettings,
): boolean {
  const ageMs = clock.now() - readAtMs;
  return ageMs < (values.has(name) ? ttlMs : Math.min(MISSING_MS, ttlMs));
}

/** True at most once per `FRESH_EVERY_MS` for each secret. */
function mayReadFresh({ freshAtMs, settings }: State, secretId: string): boolean {
  const nowMs = settings.clock.now();
  const lastMs = freshAtMs.get(secretId);
  if (lastMs !== undefined && nowMs - lastMs < FRESH_EVERY_MS) return false;
  putBounded(freshAtMs, secretId, nowMs);
  return true;
}

/** Requests that need the same secret at the same time share one call. */
function readOnce(state: State, secretId: string): Promise<Cached> {
  const running = state.reading.get(secretId);
  if (running !== undefined) return running;
  const read = readAndKeep(state, secretId).finally(() => state.reading.delete(secretId));
  state.reading.set(secretId, read);
  return read;
}

async function readAndKeep(state: State, secretId: string): Promise<Cached> {
  const { client, clock } = state.settings;
  // The age counts from before the call: a value can be no newer than that.
  const readAtMs = clock.now();
  const current = await readCurrent(client, secretId);
  return keep(state, secretId, { values: current?.values ?? new Map(), readAtMs });
}

function keep({ cached }: State, secretId: string, entry: Cached): Cached {
  putBounded(cached, secretId, entry);
  return entry;
}

/** Puts an entry last and drops the first ones beyond the bound. */
function putBounded<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAXIMUM && oldest !== undefined) map.delete(oldest);
}
