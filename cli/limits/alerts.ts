// `neuron alerts`: which shares of its usage limits an organization has reached, and whether that was sent.
import type { Command } from 'commander';
import type { AlertRecord } from '../../core/ports/alerts.ts';
import { findLogged } from '../logs/find-logged.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import type { Bind } from '../session/session.ts';
import { checkOrganization } from '../session/target.ts';
import { ALERT_COLUMNS, toListedAlert } from './alert-view.ts';

interface AlertsOptions {
  readonly deleted?: string;
}

export function registerAlerts(program: Command, bind: Bind): void {
  program
    .command('alerts')
    .description('Lists the shares of usage limits that were reached and alerted, newest first.')
    .argument('<organization>', 'the organization', checkOrganization)
    .option(
      '--deleted <id>',
      'show alerts of the deleted organization with this id, whose slug is used again',
    )
    .action(
      bind<AlertsOptions>(async (session, { args: [organization = ''], options: { deleted } }) => {
        await listAlerts({
          args: { organization, deleted },
          ports: await session.connect(),
          out: session.out,
        });
      }),
    );
}

/** Lists all that are recorded, those of API keys included. */
async function listAlerts({
  args: { organization, deleted },
  ports,
  out,
}: {
  readonly args: { readonly organization: string; readonly deleted: string | undefined };
  readonly ports: Pick<Ports, 'store' | 'changes' | 'alerts' | 'clock'>;
  readonly out: Output;
}): Promise<void> {
  const { organizationId } = await findLogged({ organization, neuron: undefined }, { deleted }, ports, out);
  const records: AlertRecord[] = [];
  for await (const record of ports.alerts.list(organizationId)) records.push(record);
  const newestFirst = records.toSorted(
    ({ alert: one }, { alert: other }) => other.atMs - one.atMs || other.share - one.share,
  );
  out.list(
    newestFirst.map(toListedAlert),
    ALERT_COLUMNS,
    `${organization} has no alerts. Usage limits with alertAt make them.`,
  );
}
