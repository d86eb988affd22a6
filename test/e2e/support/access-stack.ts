// A stack whose functions reach the tables through a proxy that a test watches and can make fail, with keys of every kind.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createAdminStore } from '../../../adapters/dynamodb/admin-store.ts';
import { createKeyAdmin } from '../../../adapters/dynamodb/key-admin.ts';
import { systemRandom } from '../../../adapters/platform/random.ts';
import { generateApiKey, type NewApiKey } from '../../../core/access/api-key.ts';
import type { AdminStore, NeuronRecord, OrganizationRecord } from '../../../core/ports/administration.ts';
import type { KeyAdmin, StoredKey } from '../../../core/ports/keys.ts';
import type { CredentialKind } from '../../core/access/decision-table.ts';
import { type FaultyService, startFaultyService } from '../../faults/faulty-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { copyAssembly } from './assembly.ts';
import { applySettings } from './settings.ts';
import { type Stack, startStack, type TransferMode } from './stack.ts';
import { openTables, outputOf, readOutputs } from './tables.ts';

/** How to start it. */
export interface AccessStackOptions {
  readonly settings: string;
  readonly transferMode?: TransferMode;
  readonly trustForwardedFor?: boolean;
  readonly concurrency?: number;
  /** The files stay after the stop, for whoever looks into them; otherwise tables are in memory, which spares a flush with every write. */
  readonly keepData?: boolean;
  /** Changes the assembly by hand before it is run. */
  readonly edit?: (assembly: string) => void;
}

/** The stack and everything behind it. */
export interface AccessStack {
  readonly stack: Stack;
  readonly dataFolder: string;
  readonly assembly: string;
  /** Before the tables, for the functions alone: what the test itself does goes past it. */
  readonly tables: FaultyService;
  readonly client: DynamoDBDocumentClient;
  readonly store: AdminStore;
  readonly keys: KeyAdmin;
  stop(): Promise<void>;
}

/** Starts a local stack and applies settings to it. */
export async function startAccessStack(options: AccessStackOptions): Promise<AccessStack> {
  const { settings, transferMode, keepData, edit, ...rest } = options;
  const kept = keepData === true ? { dataFolder: temporaryFolder() } : {};
  let dataFolder = '';
  const tables = await startFaultyService(() => readOutputs(dataFolder).endpoints.dynamodb);
  const assembly = await copyAssembly(transferMode);
  edit?.(assembly);
  const functionEndpoints = { dynamodb: tables.endpoint };
  const stack = await startStack({ assembly, functionEndpoints, ...kept, ...rest });
  dataFolder = stack.dataFolder;
  await applySettings(stack, settings);
  const client = openTables(dataFolder);
  return {
    stack,
    dataFolder,
    assembly,
    tables,
    client,
    store: createAdminStore(client, outputOf(dataFolder, 'ConfigTable')),
    keys: createKeyAdmin(client, outputOf(dataFolder, 'KeysTable')),
    async stop() {
      client.destroy();
      await stack.stop();
      await tables.stop();
    },
  };
}

/** The stored neuron; throws where there is none. */
export async function readNeuron(
  store: AdminStore,
  organization: string,
  neuron: string,
): Promise<{ readonly organization: OrganizationRecord; readonly neuron: NeuronRecord }> {
  const owner = await store.readOrganization(organization);
  const found = owner === undefined ? undefined : await store.readNeuron(owner, neuron);
  if (owner === undefined || found === undefined) throw new Error(`no neuron ${organization}/${neuron}`);
  return { organization: owner, neuron: found };
}

/** Stores a new key past the command, so that it can be one that no command makes. */
export async function plantKey(
  keys: KeyAdmin,
  organizationId: string,
  parts: Partial<StoredKey> = {},
  digest?: string,
): Promise<NewApiKey> {
  const made = generateApiKey(systemRandom);
  const { keyId, prefix, lastFour } = made;
  await keys.create(digest ?? made.digest, {
    ...{ keyId, prefix, lastFour, organizationId, name: 'planted' },
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: 'a test',
    ...parts,
  });
  return made;
}

/** What a key of each kind is sent as: for neurons of `organizationId`, none of which is `otherNeuronId`. */
export async function plantKeyring(
  keys: KeyAdmin,
  { organizationId, otherNeuronId }: { readonly organizationId: string; readonly otherNeuronId: string },
): Promise<Readonly<Record<CredentialKind, readonly string[]>>> {
  const present = ({ key }: NewApiKey) => [`Bearer ${key}`];
  const plant = async (parts?: Partial<StoredKey>, owner = organizationId) =>
    present(await plantKey(keys, owner, parts));
  const { key } = await plantKey(keys, organizationId);
  const wrongEnd = key.endsWith('0') ? '1' : '0';
  return {
    absent: [],
    valid: [`Bearer ${key}`],
    unreachable: [`Bearer ${key}`],
    doubled: [`Bearer ${key}`, `Bearer ${key}`],
    notBearer: [`Basic ${key}`],
    jwt: ['Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'],
    malformed: [`Bearer ${key.slice(0, -1)}${wrongEnd}`],
    unknown: present(generateApiKey(systemRandom)),
    revoked: await plant({ revokedAt: '2026-06-01T00:00:00.000Z' }),
    expired: await plant({ expiresAt: '2026-06-01T00:00:00.000Z' }),
    otherOrganization: await plant({}, 'an-organization-of-its-own'),
    otherNeuron: await plant({ neurons: [otherNeuronId] }),
  };
}
