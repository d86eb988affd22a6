// `neuron limits`: what is used, held and remaining of every limit in its current window.
import type { Command } from 'commander';
import {
  type LimitUsageQuery,
  type LimitUsageSubject,
  readLimitUsage,
} from '../../core/admin/limit-usage.ts';
import type { NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import type { StoredKey } from '../../core/ports/keys.ts';
import { neuronSettingsSchema } from '../../core/settings/neuron-schema.ts';
import { organizationSchema } from '../../core/settings/organization-schema.ts';
import { EXIT, type ExitCode, usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { requireNeuron, requireOrganization } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkTarget, renderTarget, type Target, toTarget } from '../session/target.ts';
import { LIMIT_COLUMNS, remainingOf, type ShownRule, toLimitJson } from './limit-view.ts';

interface LimitOptions {
  readonly user?: string;
  readonly key?: string;
  readonly ip?: string;
}

interface Options {
  readonly args: { readonly target: Target; readonly subject: LimitUsageSubject };
  readonly ports: Pick<Ports, 'store' | 'keys' | 'counterReader' | 'clock' | 'stack'>;
  readonly out: Output;
}

export function registerLimits(program: Command, bind: Bind): void {
  program
    .command('limits')
    .description('Shows what is used, held and remaining of every limit, and when it resets.')
    .argument('<organization[/neuron]>', 'whose limits to show', checkTarget)
    .option('--user <username>', 'show limits per user for this username')
    .option('--key <key id>', 'show limits of this API key, and limits per user for its callers')
    .option('--ip <address>', 'show limits per address for this IP address')
    .action(
      bind<LimitOptions>(async (session, { args: [text], options }) => {
        const { user, key, ip } = options;
        if (user !== undefined && key !== undefined)
          throw usageFailure('--user and --key were both given.', 'Pass one of them.');
        const subject = { username: user, keyId: key, sourceIp: ip };
        const ports = await session.connect();
        return showLimits({ args: { target: toTarget(text), subject }, ports, out: session.out });
      }),
    );
}

/** Rules, or the owner of unusable settings. */
interface Found {
  readonly rules: readonly ShownRule[];
  readonly unusable?: string;
}

/** Lists the rules of the organization and of its neurons, or of one neuron. Warns of unusable settings, and then fails. */
async function showLimits({ args, ports, out }: Options): Promise<ExitCode> {
  const { target, subject } = args;
  const organization = await requireOrganization(ports.store, target.organization);
  const neurons =
    target.neuron === undefined
      ? await ports.store.listNeurons(organization)
      : [await requireNeuron(ports.store, organization, target.neuron)];
  const owners = [
    { organization },
    ...(await keysOf(organization, args, { ports, out })).map((key) => ({ organization, key })),
    ...neurons.map((neuron) => ({ organization, neuron })),
  ];
  const found = await Promise.all(owners.map((owner) => rulesOf(owner, subject, ports)));
  const unusable = found.flatMap((one) => one.unusable ?? []);
  showRules(
    found.flatMap(({ rules }) => rules),
    unusable.length === 0 ? `${renderTarget(target)} has no limits.` : '',
    out,
  );
  for (const name of unusable)
    out.warn(
      `This release cannot use the stored settings of ${name}. Check its document with \`neuron validate\`, and apply it again.`,
    );
  return unusable.length === 0 ? EXIT.done : EXIT.failed;
}

function showRules(rules: readonly ShownRule[], none: string, out: Output): void {
  if (out.json) {
    for (const rule of rules) out.value(toLimitJson(rule), '');
    return;
  }
  if (rules.length > 0 || none !== '') out.list(rules, LIMIT_COLUMNS, none);
  if (rules.some(({ used }) => used === undefined))
    out.message(
      'Limits per user and per address are counted separately. Pass --user, --key or --ip to see one of them.',
    );
  if (rules.some(isPartlyUsed))
    out.message(
      'A call that asks for more tokens or cost than REMAINING is refused although the limit is not used up. `neuron logs ORG --outcome refused --json` shows what each call asked for.',
    );
}

/** Of requests and runs at once, each call asks for one. */
function isPartlyUsed(rule: ShownRule): boolean {
  const remaining = remainingOf(rule);
  const asksForMore = rule.metric === 'tokens' || rule.metric === 'cost';
  return asksForMore && remaining !== undefined && remaining > 0 && remaining < rule.limit;
}

/** The key that is asked for, or every key of the organization that has limits and is not revoked. */
async function keysOf(
  { id }: OrganizationRecord,
  { target, subject }: Options['args'],
  { ports, out }: Pick<Options, 'ports' | 'out'>,
): Promise<readonly StoredKey[]> {
  const isLimited = ({ usageLimits, revokedAt }: StoredKey) =>
    usageLimits !== undefined && revokedAt === undefined;
  try {
    if (subject.keyId !== undefined) return [(await ports.keys.find(id, subject.keyId)) ?? []].flat();
    if (target.neuron !== undefined) return [];
    const limited: StoredKey[] = [];
    for await (const key of ports.keys.list(id)) if (isLimited(key)) limited.push(key);
    return limited;
  } catch {
    out.message('Limits of API keys are not shown: the keys could not be read.');
    return [];
  }
}

/** Whose rules are shown: those of the organization, of one of its keys, or of a neuron. */
interface RuleOwner {
  readonly organization: OrganizationRecord;
  readonly key?: StoredKey;
  readonly neuron?: NeuronRecord;
}

async function rulesOf(
  { organization, key, neuron }: RuleOwner,
  subject: LimitUsageSubject,
  { counterReader, clock, stack }: Options['ports'],
): Promise<Found> {
  const limits =
    key === undefined
      ? limitsOf(organization, neuron, stack.outputs)
      : { ...NO_LIMITS, keyLimits: key.usageLimits ?? [] };
  if (limits === undefined)
    return { rules: [], unusable: renderTarget({ organization: organization.slug, neuron: neuron?.slug }) };
  const uses = await readLimitUsage(
    {
      neuronId: neuron?.id ?? '',
      organizationId: organization.id,
      ...limits,
      subject: key === undefined ? subject : { keyId: key.keyId },
      timeMs: clock.now(),
      shards: Number(stack.outputs.counterShards),
    },
    counterReader,
  );
  const owner = { organization: organization.slug, neuron: neuron?.slug, keyId: key?.keyId };
  return { rules: uses.map((use) => ({ ...use, ...owner })) };
}

type Limits = Pick<LimitUsageQuery, 'rateLimits' | 'usageLimits' | 'keyLimits' | 'defaultConcurrency'>;

const NO_LIMITS: Limits = { rateLimits: [], usageLimits: [], keyLimits: [], defaultConcurrency: undefined };

/** The usage limits of the organization, or the rate limits of a neuron. Undefined for unusable settings. */
function limitsOf(
  organization: OrganizationRecord,
  neuron: NeuronRecord | undefined,
  { organizationConcurrency }: Options['ports']['stack']['outputs'],
): Limits | undefined {
  if (neuron !== undefined) {
    const { success, data } = neuronSettingsSchema.safeParse(neuron.document);
    return success ? { ...NO_LIMITS, rateLimits: data.rateLimits } : undefined;
  }
  const { success, data } = organizationSchema.safeParse(organization.document);
  const defaultConcurrency = Number(organizationConcurrency) || undefined;
  return success ? { ...NO_LIMITS, usageLimits: data.usageLimits, defaultConcurrency } : undefined;
}
