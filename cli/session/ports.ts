// The ports that commands work through.
import type { JwtPorts } from '../../core/access/jwt.ts';
import type { AdminStore, SecretAdmin } from '../../core/ports/administration.ts';
import type { AlertReader } from '../../core/ports/alerts.ts';
import type { ChangeLog } from '../../core/ports/change-log.ts';
import type { CounterStore } from '../../core/ports/counters.ts';
import type { KeyAdmin, KeyStore, KeyUseStore } from '../../core/ports/keys.ts';
import type { LineReader } from '../../core/ports/line-reader.ts';
import type { LogReader } from '../../core/ports/log-reader.ts';
import type { Random } from '../../core/ports/platform.ts';
import type { SealReader } from '../../core/ports/seals.ts';
import type { StoredEntries } from '../../core/ports/stored-entries.ts';
import type { LogStore, SecretReader } from '../../core/ports/stores.ts';
import type { EntryReader, UsageReader } from '../../core/ports/usage.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { Stack } from './stack.ts';

/** A stack and everything an operator may do with it; tests give memory ports. */
export interface Ports {
  readonly stack: Stack;
  readonly store: AdminStore;
  readonly secrets: SecretAdmin;
  readonly keys: KeyAdmin;
  /** Keys as the authorizer reads them, for `neuron explain`. */
  readonly keyReader: KeyStore;
  readonly keyUses: KeyUseStore;
  /** Values of secrets as functions read them; nothing of them is printed. */
  readonly secretReader: SecretReader;
  /** Secrets and key sets as the authorizer reads them, for `neuron explain`. */
  readonly openJwt: () => Promise<JwtPorts>;
  /** Counters of limits, which no command changes. */
  readonly counterReader: Pick<CounterStore, 'read'>;
  readonly logReader: LogReader;
  readonly logStore: LogStore;
  /** The log as it is stored, for exports. */
  readonly storedEntries: StoredEntries;
  readonly usage: UsageReader;
  /** Alerts of usage limits. */
  readonly alerts: AlertReader;
  /** What usage is made of, for a recount. */
  readonly entries: EntryReader;
  /** The chains that the log is sealed into. */
  readonly seals: SealReader;
  /** Entries of changes by operators. */
  readonly changes: ChangeLog;
  /** What functions printed, for entries that are lost. */
  readonly lines: LineReader;
  readonly clock: Clock;
  readonly random: Random;
  /** Who changes something: the ARN of the IAM principal, or `local`. */
  author(): Promise<string>;
}
