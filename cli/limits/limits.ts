// `neuron limits`: used, held and remaining amounts of every limit in its current window.
import type { OrganizationRecord } from '../../core/ports/administration.ts';
import type { KeyAdmin, StoredKey } from '../../core/ports/keys.ts';
import { addressOption, keyOption, parseTarget, userOption } from '../command/arguments.ts';
import { argument, command } from '../command/command.ts';
import { EXIT, type ExitCode } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import { nameAtNeuron } from '../session/names-of-user.ts';
import type { Ports } from '../session/ports.ts';
import { requireKey, requireNeurons, requireOrganization } from '../session/require-stored.ts';
import { renderTarget, type Target } from '../session/target.ts';
import { LIMIT_COLUMNS, remainingOf, type ShownRule, toLimitJson } from './limit-view.ts';
import { type RuleOwner, readAllRules } from './read-rules.ts';

/** Fails after a warning where settings are unusable. */
export const limits = command({
  name: 'limits',
  arguments: { target: argument('<organization[/neuron]>', 'whose limits to show', parseTarget) },
  options: {
    username: userOption('show limits per user for this username'),
    keyId: keyOption('show limits of this API key, and limits per user for its callers'),
    sourceIp: addressOption('show limits per address for this IP address'),
  },
  conflicts: [{ option: 'username', with: ['keyId'] }],
  async run({ target, ...subject }, { out, connect }): Promise<ExitCode> {
    const ports = await connect();
    const organization = await requireOrganization(ports.store, target.organization);
    const neurons = await requireNeurons(ports.store, organization, target);
    const keys = await findLimitedKeys(organization, target, subject.keyId, ports.keys, out);
    const owners: readonly RuleOwner[] = [
      { organization },
      ...keys.map((key) => ({ organization, key })),
      ...neurons.map((neuron) => ({ organization, neuron })),
    ];
    const found = await readAllRules(owners, (owner) => subjectAt(owner, subject, ports), ports);
    const unusable = found.flatMap((one) => one.unusable ?? []);
    const none = unusable.length === 0 ? `${renderTarget(target)} has no limits.` : '';
    const rules = found.flatMap((one) => one.rules);
    showRules(rules, none, out);
    explainUncounted(subject.username, rules, organization.slug, out);
    for (const name of unusable)
      out.warn(
        `This release cannot use the stored settings of ${name}. Check its document with \`neuron validate\`, and apply it again.`,
      );
    return unusable.length === 0 ? EXIT.done : EXIT.failed;
  },
});

/** The subject as a neuron knows it: by the digest of its name, where the neuron keeps digests. */
async function subjectAt<Subject extends { readonly username?: string | undefined }>(
  { organization, neuron }: RuleOwner,
  subject: Subject,
  ports: Pick<Ports, 'secretReader'>,
): Promise<Subject> {
  const { username } = subject;
  if (username === undefined || neuron === undefined) return subject;
  return { ...subject, username: await nameAtNeuron(username, organization.id, neuron.document, ports) };
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

/** A call asks for one request and one run at once, but for any number of tokens and any cost. */
function isPartlyUsed(rule: ShownRule): boolean {
  const remaining = remainingOf(rule);
  const asksForMore = rule.metric === 'tokens' || rule.metric === 'cost';
  return asksForMore && remaining !== undefined && remaining > 0 && remaining < rule.limit;
}

/** The key with this id, or every key of the organization that has limits and is not revoked. Throws `CommandFailure` for an unknown key. */
async function findLimitedKeys(
  organization: OrganizationRecord,
  target: Target,
  keyId: string | undefined,
  keys: Pick<KeyAdmin, 'find' | 'list'>,
  out: Output,
): Promise<readonly StoredKey[]> {
  if (keyId !== undefined) return [await requireKey(keys, organization, keyId)];
  if (target.neuron !== undefined) return [];
  const limited: StoredKey[] = [];
  try {
    for await (const key of keys.list(organization.id))
      if (key.usageLimits !== undefined && (key.revokedAt ?? key.replacedAt) === undefined) limited.push(key);
    return limited;
  } catch {
    out.message('Limits of API keys are not shown: the keys could not be read.');
    return [];
  }
}

/** A username that nobody has and one without calls in the current windows look the same. */
function explainUncounted(
  username: string | undefined,
  rules: readonly ShownRule[],
  organization: string,
  out: Output,
): void {
  const ofUser = rules.filter(({ scope }) => scope === 'user');
  if (username === undefined || ofUser.length === 0) return;
  if (ofUser.some(({ used, held }) => (used ?? 0) + (held ?? 0) > 0)) return;
  out.message(
    `Nothing is counted for the user ${username} in these windows. Usernames are compared exactly: \`neuron usage ${organization} --by username\` lists those that called.`,
  );
}
