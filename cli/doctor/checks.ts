// The checks of `neuron doctor`. Each returns one line or a note, or throws `CommandFailure`.
import type { Http } from '../../adapters/http/message.ts';
import { mapAtOnce } from '../../core/async/at-once.ts';
import type { OrganizationRecord } from '../../core/ports/administration.ts';
import type { SecretPurpose } from '../../core/ports/stores.ts';
import { pauseAt } from '../../core/settings/blocks/pause.ts';
import type { Clock } from '../../core/time/clock.ts';
import { quote, renderCommand } from '../output/command-line.ts';
import { CommandFailure } from '../output/failure.ts';
import { count } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import type { Stack } from '../session/stack.ts';
import { rejectStuck } from '../session/stack-status.ts';

/** An account may have thousands. Reading all at once would wait for connections until they time out. */
const ORGANIZATIONS_AT_ONCE = 16;
/** AWS rejects signatures that are five minutes off. */
const MAX_SKEW_MS = 60_000;
const TABLES = [
  'configTable',
  'keysTable',
  'countersTable',
  'cacheTable',
  'logsTable',
  'usageTable',
] as const;

export interface DoctorPorts {
  readonly version: string;
  readonly nodeVersion: string;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  identity(): Promise<string>;
  findStack(): Promise<Stack>;
  /** Such as `ACTIVE`. */
  tableStatus(table: string): Promise<string>;
  connect(): Promise<Pick<Ports, 'store' | 'secrets' | 'secretReader' | 'stack' | 'logReader' | 'clock'>>;
  /** Requests to providers, for `--probe`. */
  openHttp(stack: Stack): Promise<Http>;
}

/** A finding that may need action but is no failure. */
export interface Note {
  readonly detail: string;
  readonly remedy: string;
}

/** Throws for a stack that cannot be deployed any more. */
export function describeStack({ name, status, url, outputs }: Stack): string {
  rejectStuck(name, status);
  return `${name} at ${url}, stage ${outputs.stageName}, ${outputs.transferMode}`;
}

export async function checkTables({ findStack, tableStatus }: DoctorPorts): Promise<string> {
  const { name, outputs } = await findStack();
  const tables = TABLES.map((table) => outputs[table]);
  const statuses = await Promise.all(
    tables.map(async (table) => ({ table, status: await tableStatus(table) })),
  );
  const wrong = statuses.filter(({ status }) => status !== 'ACTIVE');
  if (wrong.length === 0) return `${tables.length} are active`;
  throw new CommandFailure({
    what: wrong.map(({ table, status }) => `${table} is ${status}`).join(', '),
    remedy: `Wait until CloudFormation is done, or deploy the stack again.\naws cloudformation describe-stack-events --stack-name ${name}`,
  });
}

/** Finds secrets that stored settings name and that are not set. On a local run they are a note, because the examples name some. */
export async function checkSecrets({ connect }: DoctorPorts): Promise<string | Note> {
  const ports = await connect();
  const organizations = await ports.store.listOrganizations();
  const missing = (
    await mapAtOnce(organizations, ORGANIZATIONS_AT_ONCE, (one) => findMissing(one, ports))
  ).flat();
  if (missing.length === 0)
    return `every secret in the settings of ${count(organizations.length, 'organization')} is set`;
  const [are, them] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const detail = `${count(missing.length, 'secret')} in the settings ${are} not set. Calls that need ${them} are answered 500.`;
  const remedy = missing
    .map(({ slug, name, purpose }) =>
      renderCommand(`secrets set ${slug} ${name} --for ${purpose}`, ports.stack.local?.folder),
    )
    .join('\n');
  if (ports.stack.local !== undefined) return { detail, remedy };
  throw new CommandFailure({ what: detail, remedy });
}

interface MissingSecret {
  readonly slug: string;
  readonly name: string;
  readonly purpose: SecretPurpose;
}

async function findMissing(
  organization: OrganizationRecord,
  { store, secrets }: Pick<Ports, 'store' | 'secrets' | 'stack'>,
): Promise<MissingSecret[]> {
  const neurons = await store.listNeurons(organization);
  const references = {
    providers: namesIn(organization.document),
    jwt: neurons.flatMap(({ document }) => namesIn(document)),
  };
  const missing = async (purpose: SecretPurpose) => {
    const names = [...new Set(references[purpose])];
    if (names.length === 0) return [];
    const set = new Set(await secrets.list(organization.id, purpose));
    return names.filter((name) => !set.has(name)).map((name) => ({ slug: organization.slug, name, purpose }));
  };
  return [...(await missing('providers')), ...(await missing('jwt'))];
}

/** Names in references `{ secret: NAME }`, at any depth of a stored document. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'secret' && typeof inner === 'string' ? [inner] : namesIn(inner),
  );
}

/** An operator may have forgotten maintenance mode or a pause. Both are notes, since the service works as configured. */
export async function checkAvailability({ connect }: DoctorPorts): Promise<string | Note> {
  const { store, stack, clock } = await connect();
  const [maintenance, organizations] = await Promise.all([
    store.readMaintenance(),
    store.listOrganizations(),
  ]);
  const states = [
    ...(maintenance === undefined
      ? []
      : [{ ...maintenance, what: 'Maintenance mode is on', status: 503, command: 'maintenance off' }]),
    ...organizations.flatMap(({ slug, pause }) => {
      const current = pauseAt(pause, clock.now());
      if (current === undefined) return [];
      return [{ ...current, what: `${slug} is paused`, status: 429, command: `organization resume ${slug}` }];
    }),
  ];
  if (states.length === 0) return 'maintenance mode is off, and no organization is paused';
  return {
    detail: states
      .map(
        ({ what, since, by, status }) =>
          `${what} since ${since}, by ${by}: every call is answered ${status}.`,
      )
      .join('\n'),
    remedy: states.map(({ command }) => renderCommand(command, stack.local?.folder)).join('\n'),
  };
}

const DAY_MS = 86_400_000;
/** Each sends up to 32 queries at once. */
const LOGS_AT_ONCE = 4;
/** Entries that are read per organization. */
const MAX_ENTRIES = 200;

interface LatestFailure {
  /** `ORG/NEURON` */
  readonly name: string;
  readonly reason: string;
  readonly executionId: string;
}

/** Finds calls of the last day that were answered 500 `configuration`, which only an operator can solve. */
export async function checkConfiguration({ connect }: DoctorPorts): Promise<string | Note> {
  const { store, logReader, clock, stack } = await connect();
  const toMs = clock.now();
  const latest = async ({ id, slug }: OrganizationRecord): Promise<readonly LatestFailure[]> => {
    let seen = 0;
    const query = { organizationId: id, status: 500, fromMs: toMs - DAY_MS, toMs };
    for await (const { code, neuron, executionId } of logReader.list(query)) {
      seen += 1;
      if (code === 'configuration') {
        const reason = (await logReader.find(executionId))?.reason ?? 'no reason is in the log';
        return [{ name: `${slug}/${neuron}`, reason, executionId }];
      }
      if (seen === MAX_ENTRIES) break;
    }
    return [];
  };
  const failures = (await mapAtOnce(await store.listOrganizations(), LOGS_AT_ONCE, latest)).flat();
  if (failures.length === 0) return 'no call of the last day was answered 500 configuration';
  return {
    detail: `calls of the last day were answered 500 configuration, the latest of each organization:\n${failures.map(({ name, reason }) => `${name}: ${reason}`).join('\n')}`,
    remedy: [
      'Correct the settings, or what the reason names, and call again.',
      ...failures.map(({ name, executionId }) =>
        renderCommand(`logs ${name} --id ${quote(executionId)}`, stack.local?.folder),
      ),
    ].join('\n'),
  };
}

/** Checks that the service answers in its own form, and that its clock agrees with this machine's. */
export async function checkService({ findStack, fetch, clock }: DoctorPorts): Promise<string> {
  const { url } = await findStack();
  const before = clock.now();
  // A path of one segment is no route: API Gateway answers itself, and no function runs.
  const response = await fetch(`${url}/doctor`, { method: 'POST', redirect: 'manual' }).catch(
    (cause: unknown) => {
      throw new CommandFailure(
        {
          what: `${url} does not answer.`,
          why:
            cause instanceof Error
              ? String((cause.cause as Error | undefined)?.message ?? cause.message)
              : undefined,
          remedy: 'Check the network and that the stack is deployed; start a local run with `npm start`.',
        },
        { cause },
      );
    },
  );
  await response.arrayBuffer();
  if (response.status !== 404) {
    throw new CommandFailure({
      what: `${url} answers ${response.status}, where the service would answer 404.`,
      remedy: 'Another service may run at this address. Check the output ApiUrl of the stack.',
    });
  }
  const serviceMs = Date.parse(response.headers.get('Date') ?? '');
  if (Number.isNaN(serviceMs)) return `${url} answers`;
  // The header has whole seconds, and is written at some time during the request.
  const skewMs = Math.max(0, before - (serviceMs + 999), serviceMs - clock.now());
  if (skewMs <= MAX_SKEW_MS) return `${url} answers; the clocks agree`;
  throw new CommandFailure({
    what: `The clock of this machine is ${Math.round(skewMs / 1000)} s off.`,
    why: 'AWS rejects requests that are signed five minutes off, and valid tokens seem expired or not yet valid.',
    remedy: 'Synchronize the clock.',
  });
}
