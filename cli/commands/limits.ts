// `neuron limits`: what is used, held and left of every limit in its current window.
import type { Command } from 'commander';
import { neuronSettingsSchema } from '../../core/config/neuron-schema.ts';
import { organizationSchema } from '../../core/config/organization-schema.ts';
import { type ShownSubject, showUse } from '../../core/limits/show-use.ts';
import type { NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { findNeuron, findOrganization } from '../find-stored.ts';
import { LIMIT_COLUMNS, type ShownRule, toLimitJson } from '../limit-view.ts';
import type { Ports } from '../ports.ts';
import type { Output } from '../print.ts';
import type { Bind } from '../session.ts';
import { checkTarget, renderTarget, type Target, toTarget } from '../target.ts';

interface LimitOptions {
  readonly user?: string;
  readonly key?: string;
  readonly ip?: string;
}

interface Given {
  readonly args: { readonly target: Target; readonly subject: ShownSubject };
  readonly ports: Pick<Ports, 'store' | 'counterReader' | 'clock' | 'stack'>;
  readonly out: Output;
}

export function registerLimits(program: Command, bind: Bind): void {
  program
    .command('limits')
    .description('Shows what is used, held and left of every limit, and when it resets.')
    .argument('<organization[/neuron]>', 'whose limits', checkTarget)
    .option('--user <username>', 'of rules for users: those of this username')
    .option('--key <key id>', 'of rules for users: those of callers with this API key')
    .option('--ip <address>', 'of rules for addresses: those of this one')
    .action(
      bind<LimitOptions>(async (session, { args: [text], options }) => {
        const { user, key, ip } = options;
        if (user !== undefined && key !== undefined)
          throw usageFailure('--user and --key were both given.', 'Give one of them.');
        const subject = { username: user, keyId: key, sourceIp: ip };
        const ports = await session.connect();
        await showLimits({ args: { target: toTarget(text), subject }, ports, out: session.out });
      }),
    );
}

/** Lists rules: those of the organization, and of its neurons or of the one that was named. */
export async function showLimits({ args, ports, out }: Given): Promise<void> {
  const { target, subject } = args;
  const organization = await findOrganization(ports.store, target.organization);
  const neurons =
    target.neuron === undefined
      ? await ports.store.listNeurons(organization)
      : [await findNeuron(ports.store, organization, target.neuron)];
  const rules = [
    ...(await rulesOf(organization, undefined, subject, ports)),
    ...(await Promise.all(neurons.map((neuron) => rulesOf(organization, neuron, subject, ports)))).flat(),
  ];
  if (out.json) {
    for (const rule of rules) out.value(toLimitJson(rule), '');
    return;
  }
  out.list(rules, LIMIT_COLUMNS, `${renderTarget(target)} has no limits.`);
  if (rules.some(({ used }) => used === undefined))
    out.message('Users and addresses are counted each by itself: --user, --key and --ip show one of them.');
}

/** The usage limits of the organization, or the rate limits of a neuron. */
async function rulesOf(
  organization: OrganizationRecord,
  neuron: NeuronRecord | undefined,
  subject: ShownSubject,
  { counterReader, clock, stack }: Given['ports'],
): Promise<readonly ShownRule[]> {
  const uses = await showUse(
    {
      neuronId: neuron?.id ?? '',
      organizationId: organization.id,
      rateLimits: neuron === undefined ? [] : settingsOf(organization, neuron).rateLimits,
      usageLimits: neuron === undefined ? documentOf(organization).usageLimits : [],
      subject,
      timeMs: clock.now(),
      shards: Number(stack.outputs.counterShards),
    },
    counterReader,
  );
  return uses.map((use) => ({ ...use, organization: organization.slug, neuron: neuron?.slug }));
}

function documentOf({ slug, document }: OrganizationRecord) {
  const parsed = organizationSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw unusable(slug);
}

function settingsOf(organization: OrganizationRecord, { slug, document }: NeuronRecord) {
  const parsed = neuronSettingsSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw unusable(`${organization.slug}/${slug}`);
}

function unusable(what: string): CommandFailure {
  return new CommandFailure({
    what: `The stored settings of ${what} cannot be used by this release.`,
    remedy: 'Apply its document again; `neuron validate` says what is wrong with it.',
  });
}
