// The ports that commands work through.
import type { JwtPorts } from '../../core/access/jwt.ts';
import type { RecordChange } from '../../core/admin/record-change.ts';
import type { AdminStore, SecretAdmin } from '../../core/ports/administration.ts';
import type { AlertReader } from '../../core/ports/alerts.ts';
import type { ChangeLog } from '../../core/ports/change-log.ts';
import type { CounterStore } from '../../core/ports/counters.ts';
import type { GuardedEntries } from '../../core/ports/guarded-entries.ts';
import type { KeyAdmin, KeyStore, KeyUseStore } from '../../core/ports/keys.ts';
import type { LineReader } from '../../core/ports/line-reader.ts';
import type { LogReader } from '../../core/ports/log-reader.ts';
import type { PersonalData } from '../../core/ports/personal-data.ts';
import type { Random } from '../../core/ports/platform.ts';
import type { TableAdmin } from '../../core/ports/restoration.ts';
import type { SlotReader } from '../../core/ports/rollout-watch.ts';
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
  /** Reads keys like the authorizer, for `neuron explain`. */
  readonly keyReader: KeyStore;
  readonly keyUses: KeyUseStore;
  /** Reads values of secrets like the functions. They are never printed. */
  readonly secretReader: SecretReader;
  /** Reads secrets and key sets like the authorizer, for `neuron explain`. */
  readonly openJwt: () => Promise<JwtPorts>;
  /** No command changes counters of limits. */
  readonly counterReader: Pick<CounterStore, 'read'>;
  readonly logReader: LogReader;
  readonly logStore: LogStore;
  /** The stored items of the log, for exports. */
  readonly storedEntries: StoredEntries;
  /** Entries with finds of guards, for reports. */
  readonly guardedEntries: GuardedEntries;
  /** Everything that the tables hold of a person. */
  readonly personalData: PersonalData;
  readonly usage: UsageReader;
  /** The counts that rollouts are stopped by. */
  readonly slots: SlotReader;
  readonly alerts: AlertReader;
  /** The entries that usage is counted from, for a recount. */
  readonly entries: EntryReader;
  readonly seals: SealReader;
  readonly changes: ChangeLog;
  /** Makes a change that is in none of the stores above, such as an export, with its entry. */
  readonly recordChange: RecordChange;
  /** Tables as such, to restore them. */
  readonly tables: TableAdmin;
  /** Output of functions, to restore lost entries. */
  readonly lines: LineReader;
  readonly clock: Clock;
  readonly random: Random;
  /** The author of changes: the ARN of the IAM principal, or `local`. */
  author(): Promise<string>;
}
