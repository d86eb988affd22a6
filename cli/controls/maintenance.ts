// `neuron maintenance on|off|status`: starts, ends and shows maintenance mode, in which every call is answered 503.
import { type Command, Option } from 'commander';
import { parseDuration } from '../../core/settings/scalars.ts';
import type { Output } from '../output/print.ts';
import { createAuditStamp } from '../session/audit-stamp.ts';
import type { Ports } from '../session/ports.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import type { Bind } from '../session/session.ts';
import { readDuration } from '../session/target.ts';

/** What a command of this file is given. */
interface Options<Arguments> {
  readonly args: Arguments;
  readonly ports: Pick<Ports, 'stack' | 'store' | 'clock' | 'author'>;
  readonly out: Output;
}

interface RetryAfterOption {
  /** Milliseconds. */
  readonly retryAfter: number;
}

export function registerMaintenance(program: Command, bind: Bind): void {
  const maintenance = program
    .command('maintenance')
    .description('Starts, ends and shows maintenance mode of the service.');
  maintenance
    .command('on')
    .description('Starts maintenance mode: every call is answered 503.')
    .addOption(
      new Option('--retry-after <duration>', 'Retry-After of the answers, such as 10m')
        .argParser(readDuration)
        .default(parseDuration('1m'), '1m'),
    )
    .action(
      bind<RetryAfterOption>(async (session, { options }) => {
        const args = { retryAfterSeconds: options.retryAfter / 1000 };
        await startMaintenance({ args, ports: await session.connect(), out: session.out });
      }),
    );
  maintenance
    .command('status')
    .description('Shows whether maintenance mode is on, since when and by whom.')
    .action(
      bind(async (session) => {
        await showMaintenance({ args: {}, ports: await session.connect(), out: session.out });
      }),
    );
  maintenance
    .command('off')
    .description('Ends maintenance mode.')
    .action(
      bind(async (session) => {
        await endMaintenance({ args: {}, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Shows whether maintenance mode is on, since when and by whom. */
async function showMaintenance({ ports, out }: Options<object>): Promise<void> {
  const maintenance = await ports.store.readMaintenance();
  out.value(
    { maintenance: maintenance ?? null },
    maintenance === undefined
      ? 'Maintenance mode is off.'
      : `Maintenance mode is on since ${maintenance.since}, by ${maintenance.by}. Callers get Retry-After: ${maintenance.retryAfterSeconds}.`,
  );
}

/** Starts maintenance mode, or changes its wait. */
async function startMaintenance({
  args,
  ports,
  out,
}: Options<{ readonly retryAfterSeconds: number }>): Promise<void> {
  await out.confirm('Start maintenance mode? Every call is then answered 503.');
  const maintenance = { retryAfterSeconds: args.retryAfterSeconds, ...(await createAuditStamp(ports)) };
  await ports.store.setMaintenance(maintenance);
  out.value(
    { maintenance },
    `Maintenance mode is on. ${settingsTakeEffect(ports.stack)} Callers get Retry-After: ${args.retryAfterSeconds}.`,
  );
}

/** Ends maintenance mode. */
async function endMaintenance({ ports, out }: Options<object>): Promise<void> {
  const value = { maintenance: null };
  if ((await ports.store.readMaintenance()) === undefined) {
    out.value(value, 'Maintenance mode is not on.');
    return;
  }
  await out.confirm('End maintenance mode?');
  await ports.store.setMaintenance(undefined);
  out.value(value, `Maintenance mode is off. ${settingsTakeEffect(ports.stack)}`);
}
