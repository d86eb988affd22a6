// Whether the numbers of a stage hold its peak: each diagnostic has the sum.
import { errorAt, type PartDiagnostic } from '../../core/admin/diagnostic.ts';
import {
  AUTHORIZER_SECONDS,
  CALLS_PER_SHARD,
  type Capacity,
  environmentsFor,
  INVOCATIONS_PER_ENVIRONMENT,
  type ReservedConcurrency,
  START_SECONDS,
  shardsFor,
  toCapacity,
  type WrittenCapacity,
} from './peak.ts';

interface WrittenStage extends WrittenCapacity {
  readonly name: string;
  readonly settingsTtl: number;
  readonly organizationConcurrency?: number | undefined;
  readonly provisionedConcurrency?: { readonly authorizer: number; readonly execution: number } | undefined;
  readonly protectData: boolean;
}

/** Strongly consistent reads of up to 4 KB that one partition takes in a second (bp-partition-key-design.html). */
const PARTITION_READS = 3000;

/** One item takes as many writes in a second. */
const ITEM_WRITES = 1000;

/** An environment reads both, which are in one partition; a third item, of the whole service, is in another. */
const SETTINGS_OF_ORGANIZATION = 2;

/** One write takes the place of a run, one gives it back. */
const WRITES_OF_A_PLACE = 2;

const MAX_LOG_SHARDS = 64;

/** Its database has no partitions that fill up, and its throttle is that of an account. */
const LOCAL_STAGE = 'local';

/** Validates the numbers of a parsed stage. They hold what the throttle admits, so that callers beyond it get 429 and never 503. */
export function validateCapacity(stage: WrittenStage): readonly PartDiagnostic[] {
  const capacity = toCapacity(stage);
  if (capacity === undefined) return findMissing(stage);
  return [
    ...validateProtection(stage),
    ...validateThrottle(stage, capacity),
    ...validateEnvironments(stage, capacity),
    ...validateShards(stage, capacity),
    ...validateOrganization(stage, capacity),
    ...validateSettingsReads(stage, capacity),
    ...validateProvisioned(stage, capacity),
    ...validateThroughput(capacity),
  ];
}

function findMissing({ throttle, logShards, reservedConcurrency }: WrittenStage): PartDiagnostic[] {
  const missing: readonly (readonly [PartDiagnostic['path'], unknown])[] = [
    [['throttle'], throttle],
    [['logShards'], logShards],
    ...(['authorizer', 'execution'] as const).map((name) => {
      const path: PartDiagnostic['path'] = ['reservedConcurrency', name];
      return [path, reservedConcurrency === undefined ? 'none' : reservedConcurrency[name]] as const;
    }),
  ];
  return missing
    .filter(([, value]) => value === undefined)
    .map(([path]) =>
      errorAt(path, 'must be set where the stage has no peak; it is missing. Add it, or peak.'),
    );
}

/** With protectData, no runaway caller may use up the concurrency of the account. */
function validateProtection({ protectData, reservedConcurrency, peak }: WrittenStage): PartDiagnostic[] {
  if (!protectData || peak !== undefined) return [];
  if (reservedConcurrency === undefined) {
    const reason =
      'must be set where protectData is: without it a rush of calls uses up the concurrency of the whole account';
    const remedy = 'Set peak, or set it for the three functions.';
    return [errorAt(['reservedConcurrency'], `${reason}. ${remedy}`)];
  }
  if (reservedConcurrency.rollup !== undefined) return [];
  const message = 'must be set where protectData is, as for the other functions. Set it; 10 is enough.';
  return [errorAt(['reservedConcurrency', 'rollup'], message)];
}

function validateThrottle({ peak }: WrittenStage, { throttle }: Capacity): PartDiagnostic[] {
  if (peak === undefined || throttle.requestsPerSecond >= peak.callsPerSecond) return [];
  const message = `must be at least peak.callsPerSecond, which is ${peak.callsPerSecond}. Raise it, or lower the peak.`;
  return [errorAt(['throttle', 'requestsPerSecond'], message)];
}

function validateEnvironments(
  { peak }: WrittenStage,
  { throttle, reservedConcurrency }: Capacity,
): PartDiagnostic[] {
  if (reservedConcurrency === undefined) return [];
  const { requestsPerSecond, burst } = throttle;
  const needed = (name: 'authorizer' | 'execution'): readonly [number, string] => {
    if (peak === undefined) {
      const sum = `(${requestsPerSecond} + ${burst}) / ${INVOCATIONS_PER_ENVIRONMENT}: Lambda serves ${INVOCATIONS_PER_ENVIRONMENT} invocations a second with one environment`;
      return [Math.ceil((requestsPerSecond + burst) / INVOCATIONS_PER_ENVIRONMENT), sum];
    }
    const seconds = name === 'authorizer' ? AUTHORIZER_SECONDS : peak.secondsPerCall;
    const inFlight = `${burst} + ${requestsPerSecond} × (${seconds} s + ${START_SECONDS} s for a start)`;
    const rate = `(${requestsPerSecond} + ${burst}) / ${INVOCATIONS_PER_ENVIRONMENT} a second`;
    return [environmentsFor(throttle, seconds), `the larger of ${inFlight} and ${rate}`];
  };
  return (['authorizer', 'execution'] as const).flatMap((name) => {
    const [environments, sum] = needed(name);
    if (reservedConcurrency[name] >= environments) return [];
    const reason = `must be at least ${environments} for a throttle of ${requestsPerSecond} requests a second and a burst of ${burst} (${sum}); it is ${reservedConcurrency[name]}, and callers would get 503 in place of 429`;
    return [
      errorAt(
        ['reservedConcurrency', name],
        `${reason}. Raise it, or lower ${peak === undefined ? 'throttle' : 'peak'}.`,
      ),
    ];
  });
}

function validateShards(
  { name, peak }: WrittenStage,
  { throttle, logShards, counterPeakPerSecond }: Capacity,
): PartDiagnostic[] {
  if (logShards > MAX_LOG_SHARDS) {
    const message = `an organization with this many calls needs ${logShards} shards of its log, and there can be ${MAX_LOG_SHARDS}. Lower it to ${MAX_LOG_SHARDS * CALLS_PER_SHARD}.`;
    return [errorAt(['peak', 'organizationCallsPerSecond'], message)];
  }
  if (peak === undefined && name === LOCAL_STAGE) return [];
  // Without a peak nothing says that an organization makes fewer calls than the stage admits.
  const calls = peak?.organizationCallsPerSecond ?? peak?.callsPerSecond ?? throttle.requestsPerSecond;
  const remedy =
    peak === undefined
      ? 'Raise it, or lower throttle.requestsPerSecond.'
      : 'Raise it, or set peak.organizationCallsPerSecond.';
  const shards = shardsFor(calls);
  const diagnostics: PartDiagnostic[] = [];
  if (logShards < shards) {
    const message = `must be at least ${shards}: one for every ${CALLS_PER_SHARD} of ${calls} calls a second of one organization. ${remedy}`;
    diagnostics.push(errorAt(['logShards'], message));
  }
  if (counterPeakPerSecond < calls) {
    const message = `must be at least ${calls}, the calls a second of one organization at the peak. ${remedy}`;
    diagnostics.push(errorAt(['counterPeakPerSecond'], message));
  }
  return diagnostics;
}

function validateOrganization(
  { peak, organizationConcurrency }: WrittenStage,
  { reservedConcurrency }: Capacity,
): PartDiagnostic[] {
  if (organizationConcurrency === undefined) return [];
  const diagnostics: PartDiagnostic[] = [];
  const execution = reservedConcurrency?.execution;
  if (execution !== undefined && organizationConcurrency >= execution) {
    const message = `must be less than reservedConcurrency.execution, which is ${execution}: one organization could take all of it. Lower it, or raise the reserved concurrency.`;
    diagnostics.push(errorAt(['organizationConcurrency'], message));
  }
  const calls = peak?.organizationCallsPerSecond ?? peak?.callsPerSecond ?? 0;
  const writes = WRITES_OF_A_PLACE * calls;
  if (writes > ITEM_WRITES) {
    const message = `makes ${WRITES_OF_A_PLACE} writes for each call on one item of the organization: ${writes} a second for ${calls} calls, and an item takes ${ITEM_WRITES}. Set peak.organizationCallsPerSecond to at most ${ITEM_WRITES / WRITES_OF_A_PLACE}, or remove organizationConcurrency.`;
    diagnostics.push(errorAt(['organizationConcurrency'], message));
  }
  return diagnostics;
}

/** An environment reads settings again when they are older than `settingsTtl`, and no oftener than it is called. */
function validateSettingsReads(
  { settingsTtl, peak }: WrittenStage,
  { throttle, reservedConcurrency }: Capacity,
): PartDiagnostic[] {
  if (reservedConcurrency === undefined) return [];
  const calls = peak?.organizationCallsPerSecond ?? throttle.requestsPerSecond;
  const { authorizer, execution } = reservedConcurrency;
  const ttlSeconds = settingsTtl / 1000;
  const readers = [authorizer, execution].map((environments) => Math.min(environments / ttlSeconds, calls));
  const reads = Math.ceil(readers.reduce((sum, one) => sum + one, 0) * SETTINGS_OF_ORGANIZATION);
  if (reads <= PARTITION_READS) return [];
  const message = `is too short: ${authorizer} + ${execution} environments that read ${SETTINGS_OF_ORGANIZATION} settings of one organization every ${ttlSeconds} s make ${reads} reads a second, and a partition takes ${PARTITION_READS}. Make it longer, or set peak.organizationCallsPerSecond.`;
  return [errorAt(['settingsTtl'], message)];
}

function validateProvisioned(
  { provisionedConcurrency }: WrittenStage,
  { reservedConcurrency }: { readonly reservedConcurrency: ReservedConcurrency | undefined },
): PartDiagnostic[] {
  if (provisionedConcurrency === undefined || reservedConcurrency === undefined) return [];
  return (['authorizer', 'execution'] as const)
    .filter((name) => provisionedConcurrency[name] > reservedConcurrency[name])
    .map((name) =>
      errorAt(
        ['provisionedConcurrency', name],
        `must be at most reservedConcurrency.${name}, which is ${reservedConcurrency[name]}. Lower it, or raise the reserved concurrency.`,
      ),
    );
}

/** Warm throughput above the maximum would be paid for and never used. */
function validateThroughput({ throughput }: Capacity): PartDiagnostic[] {
  return Object.entries(throughput).flatMap(([table, units]) =>
    (['Reads', 'Writes'] as const).flatMap((kind) => {
      const [max, warm] = [units[`max${kind}`], units[`warm${kind}`]];
      if (max === undefined || warm === undefined || max >= warm) return [];
      const message = `must be at least warm${kind}, which is ${warm}. Raise it, or lower warm${kind}.`;
      return [errorAt(['throughput', table, `max${kind}`], message)];
    }),
  );
}
