// `neuron organization pause|resume`: a state that only commands set, never a settings file.
import { type Command, Option } from 'commander';
import { parseDuration } from '../../core/settings/scalars.ts';
import type { Output } from '../output/print.ts';
import { createAuditStamp } from '../session/audit-stamp.ts';
import type { Ports } from '../session/ports.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireOrganization } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkOrganization, readDuration } from '../session/target.ts';

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

export function registerOrganization(program: Command, bind: Bind): void {
  const organization = program.command('organization').description('Pauses and resumes an organization.');
  organization
    .command('pause')
    .description('Pauses an organization: every call is answered 429.')
    .argument('<organization>', 'the organization', checkOrganization)
    .addOption(
      new Option('--retry-after <duration>', 'Retry-After of the answers, such as 10m')
        .argParser(readDuration)
        .default(parseDuration('1h'), '1h'),
    )
    .action(
      bind<RetryAfterOption>(async (session, { args: [name = ''], options }) => {
        const args = { organization: name, retryAfterSeconds: options.retryAfter / 1000 };
        await pause({ args, ports: await session.connect(), out: session.out });
      }),
    );
  organization
    .command('resume')
    .description('Resumes an organization.')
    .argument('<organization>', 'the organization', checkOrganization)
    .action(
      bind(async (session, { args: [name = ''] }) => {
        await resume({ args: { organization: name }, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Pauses an organization; one that is already paused gets the new wait. */
async function pause({
  args,
  ports,
  out,
}: Options<{ readonly organization: string; readonly retryAfterSeconds: number }>): Promise<void> {
  const found = await requireOrganization(ports.store, args.organization);
  await out.confirm(`Pause ${args.organization}? Every call is then answered 429.`);
  const stamp = await createAuditStamp(ports);
  const recorded = { retryAfterSeconds: args.retryAfterSeconds, ...stamp };
  await ports.store.writeOrganization(
    { ...found, pause: recorded, updatedAt: stamp.since, updatedBy: stamp.by },
    found.write,
  );
  out.value(
    { organization: args.organization, pause: recorded },
    `${args.organization} is paused. ${settingsTakeEffect(ports.stack)} Callers get Retry-After: ${args.retryAfterSeconds}.`,
  );
}

/** Ends a pause. */
async function resume({ args, ports, out }: Options<{ readonly organization: string }>): Promise<void> {
  const found = await requireOrganization(ports.store, args.organization);
  const value = { organization: args.organization, pause: null };
  if (found.pause === undefined) {
    out.value(value, `${args.organization} is not paused.`);
    return;
  }
  await out.confirm(`Resume ${args.organization}?`);
  const stamp = await createAuditStamp(ports);
  await ports.store.writeOrganization(
    { ...found, pause: undefined, updatedAt: stamp.since, updatedBy: stamp.by },
    found.write,
  );
  out.value(value, `${args.organization} is resumed. ${settingsTakeEffect(ports.stack)}`);
}
