// Reads cases from the log: the newest calls whose texts are there in full, each text once, with what guards find redacted.
import { isPhoneNumber } from '../../adapters/phone/is-phone-number.ts';
import { validateJson } from '../../adapters/schema/validate-json.ts';
import { redactCase } from '../../core/admin/cases/redact-case.ts';
import { type LoggedCase, type NoCase, toCase } from '../../core/admin/cases/to-case.ts';
import { type ActiveGuard, activeGuards } from '../../core/guards/active-guards.ts';
import type { LogQuery } from '../../core/ports/log-reader.ts';
import { organizationSchema } from '../../core/settings/organization-schema.ts';
import { parseVariables, type Variables } from '../../core/settings/variables/variables-schema.ts';
import type { Ports } from '../session/ports.ts';

/** Each is a read of an entry with its texts. */
const MAX_READ = 5_000;

export interface ReadCases {
  readonly cases: readonly LoggedCase[];
  /** Entries that are none, by reason. */
  readonly skipped: ReadonlyMap<NoCase | 'repeated', number>;
  readonly read: number;
  /** The last moment at which one of these entries is still kept, in milliseconds since the Unix epoch. */
  readonly keptUntilMs: number;
}

interface CaseQuery extends LogQuery {
  /** Slug. */
  readonly organization: string;
  readonly neuronId: string;
  readonly version: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function readCases(
  { organization, version, limit, ...query }: CaseQuery,
  guards: readonly ActiveGuard[],
  { logReader, store }: Pick<Ports, 'logReader' | 'store'>,
): Promise<ReadCases> {
  const declared = new Map<string, Variables>();
  const variablesOf = async (id: string): Promise<Variables> => {
    const known = declared.get(id);
    if (known !== undefined) return known;
    const stored = await store.readVersion(organization, query.neuronId, id);
    const variables = parseVariables(stored?.variables) ?? {};
    declared.set(id, variables);
    return variables;
  };
  const cases = new Map<string, LoggedCase>();
  const skipped = new Map<NoCase | 'repeated', number>();
  let read = 0;
  let keptUntilMs = 0;
  for await (const { executionId, version: ran } of logReader.list(query)) {
    if (cases.size === limit || read === MAX_READ) break;
    if (ran === undefined || (version !== undefined && ran !== version)) continue;
    read += 1;
    const entry = await logReader.find(executionId);
    if (entry === undefined) continue;
    const found = toCase(entry, await variablesOf(ran));
    const redacted = typeof found === 'string' ? found : redactCase(found, guards, validateJson);
    const key = typeof redacted === 'string' ? undefined : JSON.stringify({ ...redacted, name: '' });
    if (typeof redacted === 'string' || key === undefined || cases.has(key)) {
      const reason = typeof redacted === 'string' ? redacted : 'repeated';
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      continue;
    }
    cases.set(key, redacted);
    keptUntilMs = Math.max(keptUntilMs, entry.expiresAt * 1000);
  }
  return { cases: [...cases.values()], skipped, read, keptUntilMs };
}

/** Every guard of the organization's library, whether the neuron uses it or not. */
export function guardsOfLibrary(document: unknown): readonly ActiveGuard[] {
  const { guards = {} } = organizationSchema.parse(document);
  const uses = Object.keys(guards).map((use) => ({ use, on: ['input' as const], action: 'flag' as const }));
  return activeGuards({ organization: { guards }, neuron: { guards: uses } }, { isPhoneNumber });
}
