// `neuron init --from-openai`: three questions, settings for apps that call OpenAI today, and a call of them that is answered.
import { explainSlug, isSlug } from '../../core/contract/slugs.ts';
import { modelName } from '../../core/settings/scalars.ts';
import { callAndPrint } from '../call/print-answer.ts';
import { storeNewKey } from '../keys/store-new-key.ts';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import type { Source } from '../output/terminal.ts';
import { writeNewFiles } from '../output/write-new-files.ts';
import { requireOrganization } from '../session/require-stored.ts';
import type { Session } from '../session/session.ts';
import { applyFiles } from '../settings/apply.ts';

interface Answers {
  readonly organization: string;
  readonly models: readonly string[];
  /** Undefined where the offline provider is to answer. */
  readonly vendorKey: string | undefined;
}

const SECRET = 'openai-key';
const NEURON = 'gateway';

/** Everything is asked and checked before the first file is written. `file`: where the settings go. */
export async function initFromOpenai(file: string, session: Session): Promise<void> {
  const { out, terminal } = session;
  const ports = await session.connect();
  const answers = await ask(terminal.stdin);
  const { organization, vendorKey } = answers;
  if ((await ports.store.readOrganization(organization)) !== undefined)
    throw new CommandFailure({
      what: `The organization ${organization} is there already. Nothing was written.`,
      remedy: 'Choose another name, or add a neuron with `models` to its own settings.',
    });
  writeNewFiles(new Map([[file, renderSettings(answers)]]), 'Choose another folder.');
  out.message(`Wrote ${file}`);
  // The command itself says what is to be made, all of it new.
  const agreed = { ...out, confirm: async () => {} };
  const args = {
    paths: [file],
    overlays: [],
    folder: terminal.folder,
    deploy: 'changed',
    prune: false,
    maxDeletions: 0,
    mode: 'make',
  } as const;
  await applyFiles({ args, ports, out: agreed });
  const { id } = await requireOrganization(ports.store, organization);
  if (vendorKey !== undefined) await ports.secrets.set(id, 'providers', SECRET, vendorKey);
  const { key } = await storeNewKey(ports, undefined, { name: 'first app', organizationId: id });
  const { url } = ports.stack;
  const baseUrl = `${url}/v1/${organization}`;
  out.message('Give your app these two, and leave its models as they are. The key is not shown again.');
  out.value({ file, baseUrl, key }, `OPENAI_BASE_URL=${baseUrl}\nOPENAI_API_KEY=${key}`);
  out.message(`Calling ${organization}/${NEURON} as an app would:`);
  const call = {
    organization,
    neuron: NEURON,
    baseUrl: url,
    local: session.options.local,
    bypassCache: false,
    raw: false,
    stream: false,
    idempotencyKey: undefined,
    revision: undefined,
    input: { input: 'Say hello in one short sentence.' },
    token: { token: key, source: 'this command' },
  };
  await callAndPrint(call, globalThis.fetch, out);
}

async function ask(stdin: Source): Promise<Answers> {
  const lines = stdin.isTerminal ? undefined : (await stdin.readAll()).split(/\r?\n/);
  const answer = async (prompt: string, detail?: { readonly hidden: boolean }) =>
    ((lines === undefined ? await stdin.readLine(prompt, detail) : lines.shift()) ?? '').trim();
  const organization =
    (await answer('Name of your organization in URLs [my-organization]: ')) || 'my-organization';
  if (!isSlug(organization))
    throw usageFailure(
      `${JSON.stringify(organization)} ${explainSlug(organization)}.`,
      'Nothing was written.',
    );
  const text =
    (await answer('Models that your apps send, with commas between [gpt-4.1-mini]: ')) || 'gpt-4.1-mini';
  const models = [...new Set(text.split(',').map((name) => name.trim()))];
  const wrong = models.find((name) => !modelName.safeParse(name).success);
  if (wrong !== undefined)
    throw usageFailure(
      `${JSON.stringify(wrong)} is no name of a model, such as gpt-4.1-mini.`,
      'Nothing was written.',
    );
  const key = await answer('OpenAI API key (not shown; leave it empty to be answered offline): ', {
    hidden: true,
  });
  return { organization, models, vendorKey: key === '' ? undefined : key };
}

function renderSettings({ organization, models, vendorKey }: Answers): string {
  const provider =
    vendorKey === undefined
      ? '  openai: { type: echo }             # answers offline: in its place { type: openai, apiKey: { secret: openai-key } }'
      : `  openai: { type: openai, apiKey: { secret: ${SECRET} } }   # set with \`neuron secrets set\`, never written here`;
  return `# Settings for apps that call OpenAI: their base URL becomes /v1/${organization}, their models stay.
# Change what you like: \`neuron validate\` says whether it holds, \`neuron apply\` brings it to the stack.

organization: ${organization}
providers:
${provider}
---
neuron: ${organization}/${NEURON}
models: [${models.map((name) => JSON.stringify(name)).join(', ')}]
maxInputBytes: 1000000
access:
  apiKey: true                       # make a key for each app with \`neuron keys create ${organization} --name APP\`
logging:
  bodies: hash                       # full logs inputs and outputs, none logs neither
  retention: 90d
flow:
  - callModel:
      provider: openai
      model: "{{model}}"             # the one that the app sends
      accepts: all                   # everything that OpenAI's clients send
      images: { byAddress: true }
`;
}
