// Reads a manifest and checks every member of it: nothing in it may excuse what the seals beside it do not show.

import { parseHead } from '../../../core/logs/seals/seal.ts';
import { SERVICE_CHAIN } from '../../../core/ports/seals.ts';
import { isJsonObject } from '../../../core/text/json.ts';
import { EXPORT_FORMATS, type ExportManifest } from './manifest.ts';

/** A member that is not what an export writes. */
export interface ManifestProblem {
  /** Path of the member, such as `seals.heads`. */
  readonly member: string;
  readonly problem: string;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value !== '';
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isDigest: Check = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
/** Beside the manifest: no other folder. */
const isFileName: Check = (value) => isText(value) && !/[/\\\0]/.test(String(value)) && value !== '..';
const isTime: Check = (value) => {
  const timeMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString() === value;
};
const isSlug: Check = (value) => typeof value === 'string' && /^[a-z0-9-]{1,63}$/.test(value);
const isId: Check = (value) =>
  typeof value === 'string' && /^[\w-]{1,64}$/.test(value) && value !== SERVICE_CHAIN;
const isHead: Check = (value) =>
  value === null || (typeof value === 'string' && parseHead(value) !== undefined);

const FILE = { file: isFileName, bytes: isCount, sha256: isDigest };
const MEMBERS: Readonly<Record<string, Check>> = {
  version: (value) => value === 1,
  organization: isSlug,
  organizationId: isId,
  from: isTime,
  to: isTime,
  startedAt: isTime,
  format: (value) => EXPORT_FORMATS.some((format) => format === value),
  ...FILE,
  entries: isJsonObject,
  seals: isJsonObject,
};
const ENTRIES: Readonly<Record<string, Check>> = { call: isCount, change: isCount, outcome: isCount };
const SEALS: Readonly<Record<string, Check>> = { ...FILE, heads: isJsonObject };

/** Members that no manifest has when it is read at `nowMs`; empty for one that can be compared with its files. */
export function findFalseMembers(
  manifest: Readonly<Record<string, unknown>>,
  nowMs: number,
): readonly ManifestProblem[] {
  const malformed = findMalformed(manifest);
  return malformed.length > 0 ? malformed : findImpossibleTimes(manifest as unknown as ExportManifest, nowMs);
}

/** Members that are missing, malformed, or none of a manifest. */
function findMalformed(manifest: Readonly<Record<string, unknown>>): readonly ManifestProblem[] {
  const { entries, seals, organizationId } = manifest;
  const problems = checkMembers('', manifest, MEMBERS);
  if (isJsonObject(entries)) problems.push(...checkMembers('entries.', entries, ENTRIES));
  if (!isJsonObject(seals)) return problems;
  problems.push(...checkMembers('seals.', seals, SEALS));
  const { heads } = seals;
  if (!isJsonObject(heads)) return problems;
  const chains = { [String(organizationId)]: isHead, [SERVICE_CHAIN]: isHead };
  return [...problems, ...checkMembers('seals.heads.', heads, chains)];
}

/** How far the clock of the machine that exports may be ahead of the one that verifies. */
const CLOCK_MS = 5 * 60_000;

/** Times that no export has. */
function findImpossibleTimes(
  { from, to, startedAt }: Pick<ExportManifest, 'from' | 'to' | 'startedAt'>,
  nowMs: number,
): readonly ManifestProblem[] {
  const [fromMs, toMs, startedMs] = [Date.parse(from), Date.parse(to), Date.parse(startedAt)];
  return [
    ...(fromMs < toMs ? [] : [{ member: 'to', problem: 'the period is empty or reversed' }]),
    ...(toMs <= startedMs ? [] : [{ member: 'to', problem: 'the period ends after the export was begun' }]),
    ...(startedMs <= nowMs + CLOCK_MS ? [] : [{ member: 'startedAt', problem: 'it is in the future' }]),
  ];
}

function checkMembers(
  path: string,
  value: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, Check>>,
): ManifestProblem[] {
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(checks, name));
  return [
    ...Object.entries(checks).flatMap(([name, check]) => {
      if (!Object.hasOwn(value, name)) return [{ member: `${path}${name}`, problem: 'it is missing' }];
      return check(value[name])
        ? []
        : [{ member: `${path}${name}`, problem: 'no export writes such a value' }];
    }),
    ...unknown.map((name) => ({ member: `${path}${name}`, problem: 'no export writes such a member' })),
  ];
}
