// Calls functions at the rates of the template's EventBridge rules.

import { randomUUID } from 'node:crypto';
import type { InvokeResult } from './functions/index.ts';
import type { ResolvedResource, ResolvedStack } from './template/types.ts';
import { asList, asObject, asText, templateError } from './template/values.ts';

interface Schedule {
  /** `STACK/LOGICAL_ID`. */
  readonly id: string;
  readonly functionArn: string;
  /** The first call comes one interval after `startMs`, in milliseconds since 1970. */
  readonly startMs: number;
  readonly intervalMs: number;
  event(timeMs: number): unknown;
}

interface ScheduleSettings {
  readonly schedules: readonly Schedule[];
  readonly invoke: (functionArn: string, event: unknown) => Promise<InvokeResult>;
  readonly log: (line: string) => void;
}

const UNITS_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
// setTimeout takes 2^31 - 1 milliseconds at most.
const MAX_TIMER_MS = 2_147_483_647;

/**
 * All enabled rules. Calls that fall into a time when nothing runs are skipped.
 * @param startMs start of every rate, in milliseconds since 1970
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` for another expression than `rate(…)`, or a target that is no function
 */
export function readSchedules(stacks: readonly ResolvedStack[], startMs: number): readonly Schedule[] {
  const resources = stacks.flatMap((stack) => stack.resources);
  const functionArns = resources
    .filter(({ type }) => type.startsWith('AWS::Lambda::'))
    .map(({ arn }) => arn ?? '');
  return resources
    .filter(
      ({ type, properties }) => type === 'AWS::Events::Rule' && asText(properties['State']) !== 'DISABLED',
    )
    .flatMap((rule) => readRule(rule, startMs, functionArns));
}

function readRule(
  resource: ResolvedResource,
  startMs: number,
  functionArns: readonly string[],
): readonly Schedule[] {
  const intervalMs = readRate(resource);
  return asList(resource.properties['Targets']).map((entry) => {
    const target = asObject(entry);
    const functionArn = asText(target['Arn']) ?? '';
    if (!functionArns.includes(functionArn))
      throw templateError(resource, `the target ${functionArn} is no function.`);
    const input = readInput(resource, target);
    return {
      id: `${resource.stack}/${resource.logicalId}`,
      functionArn,
      startMs,
      intervalMs,
      event: (timeMs) => (input === undefined ? scheduledEvent(resource, timeMs) : input),
    };
  });
}

// EventBridge User Guide, "Creating a rule that runs on a schedule": rate(value unit).
function readRate(resource: ResolvedResource): number {
  const expression = asText(resource.properties['ScheduleExpression']) ?? '';
  const [, value, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression.trim()) ?? [];
  const intervalMs = Number(value) * (UNITS_MS[unit] ?? 0);
  if (intervalMs > 0) return intervalMs;
  throw templateError(resource, `the schedule "${expression}" is not supported; only rate(…) is.`);
}

function readInput(resource: ResolvedResource, target: Readonly<Record<string, unknown>>): unknown {
  const input = asText(target['Input']);
  try {
    return input === undefined ? undefined : JSON.parse(input);
  } catch {
    throw templateError(resource, `the Input of a target is not JSON: ${input}`);
  }
}

// EventBridge User Guide, "Scheduled events".
function scheduledEvent({ arn = '' }: ResolvedResource, timeMs: number): unknown {
  const [, , , region, account] = arn.split(':');
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account,
    time: `${new Date(timeMs).toISOString().slice(0, 19)}Z`,
    region,
    resources: [arn],
    detail: {},
  };
}

/** Runs schedules until stopped. A failed call is logged. */
export function startSchedules({ schedules, invoke, log }: ScheduleSettings): { stop(): void } {
  const timers = new Map<Schedule, NodeJS.Timeout>();
  const arm = (schedule: Schedule, timeMs: number): void => {
    const waitMs = Math.min(Math.max(timeMs - Date.now(), 0), MAX_TIMER_MS);
    const timer = setTimeout(() => {
      // A timer that was cut short, or fired a moment early, is armed again.
      if (Date.now() < timeMs) {
        arm(schedule, timeMs);
        return;
      }
      arm(schedule, nextTime(schedule, Date.now()));
      void run(schedule, timeMs);
    }, waitMs);
    timers.set(schedule, timer);
  };
  const run = async (schedule: Schedule, timeMs: number): Promise<void> => {
    const result = await invoke(schedule.functionArn, schedule.event(timeMs));
    if (result.outcome === 'failed')
      log(`${schedule.id}: ${result.error.errorType}: ${result.error.errorMessage}`);
    if (result.outcome === 'rejected') log(`${schedule.id}: ${result.message}`);
  };
  for (const schedule of schedules) arm(schedule, nextTime(schedule, Date.now()));
  return {
    stop: () => {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

function nextTime({ startMs, intervalMs }: Schedule, nowMs: number): number {
  return startMs + (Math.floor((nowMs - startMs) / intervalMs) + 1) * intervalMs;
}
