// Calls functions at the times that the template's rules and schedules say.

import { randomUUID } from 'node:crypto';
import type { InvokeResult } from '../functions/index.ts';
import { asList, asObject, asText, templateError } from '../functions/template-values.ts';
import type { ResolvedResource, ResolvedStack } from '../template/types.ts';
import { type NextTime, parseSchedule } from './schedule-expression.ts';

/** One function that is called again and again. */
interface Schedule {
  /** `STACK/LOGICAL_ID`. */
  readonly id: string;
  readonly functionArn: string;
  readonly next: NextTime;
  /** The event, for a run at the given time. */
  event(time: number): unknown;
}

/** Settings for running schedules. */
interface ScheduleSettings {
  readonly schedules: readonly Schedule[];
  readonly invoke: (functionArn: string, event: unknown) => Promise<InvokeResult>;
  readonly log: (line: string) => void;
}

// setTimeout takes 2^31 - 1 milliseconds at most.
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * All schedules that are enabled. Runs that fall into a time when the local run is down are skipped.
 * @param now milliseconds since 1970; a rate begins with it
 * @throws an error with code `TEMPLATE_NOT_SUPPORTED` for an expression or a target that is not supported
 */
export function readSchedules(stacks: readonly ResolvedStack[], now: number): readonly Schedule[] {
  const resources = stacks.flatMap((stack) => stack.resources);
  const arns = resources.filter(({ type }) => type.startsWith('AWS::Lambda::')).map(({ arn }) => arn);
  const isFunction = (arn: string | undefined): arn is string => arn !== undefined && arns.includes(arn);
  return resources.flatMap((resource) => {
    if (asText(resource.properties['State']) === 'DISABLED') return [];
    if (resource.type === 'AWS::Events::Rule') return readRule(resource, now, isFunction);
    return resource.type === 'AWS::Scheduler::Schedule' ? [readSchedule(resource, now, isFunction)] : [];
  });
}

function readRule(
  resource: ResolvedResource,
  now: number,
  isFunction: (arn: string | undefined) => arn is string,
): readonly Schedule[] {
  const next = readTimes(resource, now);
  return asList(resource.properties['Targets']).map((entry) => {
    const target = asObject(entry);
    const functionArn = asText(target['Arn']);
    if (!isFunction(functionArn)) throw templateError(resource, `the target ${functionArn} is no function.`);
    const input = asText(target['Input']);
    return {
      id: `${resource.stack}/${resource.logicalId}`,
      functionArn,
      next,
      event: (time) => (input === undefined ? scheduledEvent(resource, time) : JSON.parse(input)),
    };
  });
}

// EventBridge User Guide, "Scheduled events".
function scheduledEvent({ arn = '' }: ResolvedResource, time: number): unknown {
  const [, , , region, account] = arn.split(':');
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account,
    time: `${new Date(time).toISOString().slice(0, 19)}Z`,
    region,
    resources: [arn],
    detail: {},
  };
}

function readSchedule(
  resource: ResolvedResource,
  now: number,
  isFunction: (arn: string | undefined) => arn is string,
): Schedule {
  const { properties } = resource;
  const target = asObject(properties['Target']);
  const functionArn = asText(target['Arn']);
  if (!isFunction(functionArn)) throw templateError(resource, `the target ${functionArn} is no function.`);
  const [from, to] = [properties['StartDate'], properties['EndDate']].map((date) =>
    Date.parse(asText(date) ?? ''),
  );
  const next = readTimes(resource, now);
  const input = asText(target['Input']) ?? '{}';
  return {
    id: `${resource.stack}/${resource.logicalId}`,
    functionArn,
    next: (after) => {
      const time = next(Math.max(after, Number.isNaN(from) ? after : (from ?? after) - 1));
      return time === undefined || time > (to ?? Number.NaN) ? undefined : time;
    },
    event: (time) => JSON.parse(substitute(input, resource, time)) as unknown,
  };
}

// EventBridge Scheduler User Guide, "Adding context attributes".
function substitute(input: string, { arn = '' }: ResolvedResource, time: number): string {
  return input
    .replaceAll('<aws.scheduler.schedule-arn>', arn)
    .replaceAll('<aws.scheduler.scheduled-time>', `${new Date(time).toISOString().slice(0, 19)}Z`)
    .replaceAll('<aws.scheduler.execution-id>', () => randomUUID())
    .replaceAll('<aws.scheduler.attempt-number>', '1');
}

function readTimes(resource: ResolvedResource, now: number): NextTime {
  const { ScheduleExpression: expression, ScheduleExpressionTimezone: zone } = resource.properties;
  try {
    return parseSchedule(asText(expression) ?? '', now, asText(zone));
  } catch (error) {
    throw templateError(resource, (error as Error).message);
  }
}

/** Runs schedules until stopped. A failed run is logged. */
export function startSchedules({ schedules, invoke, log }: ScheduleSettings): { stop(): void } {
  const timers = new Map<Schedule, NodeJS.Timeout>();
  const arm = (schedule: Schedule, after: number): void => {
    const time = schedule.next(after);
    if (time === undefined) return;
    const wait = Math.min(Math.max(time - Date.now(), 0), LONGEST_TIMER_MS);
    timers.set(
      schedule,
      setTimeout(() => {
        // A timer that had to be cut short, or fired a moment early, is armed again.
        if (Date.now() < time) {
          arm(schedule, after);
          return;
        }
        arm(schedule, Math.max(time, Date.now()));
        run(schedule, time);
      }, wait),
    );
  };
  const run = (schedule: Schedule, time: number): void => {
    invoke(schedule.functionArn, schedule.event(time)).then(
      (result) => {
        if (result.outcome === 'failed')
          log(`${schedule.id}: ${result.error.errorType}: ${result.error.errorMessage}`);
        if (result.outcome === 'rejected') log(`${schedule.id}: ${result.message}`);
      },
      (error: unknown) => log(`${schedule.id}: ${String(error)}`),
    );
  };
  for (const schedule of schedules) arm(schedule, Date.now());
  return {
    stop: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
