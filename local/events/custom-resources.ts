// Runs custom resources: calls the function of each when the template has a new one, a changed one, or one no more.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from '../data-folder/write-file.ts';
import { localFailure } from '../failure.ts';
import type { InvokeResult } from '../functions/index.ts';
import { reasonToIgnore } from '../resources/check.ts';
import { type CustomResourceResult, isCustomResource } from '../template/resolve-stacks.ts';
import type { ResolvedResource, ResolvedStack } from '../template/types.ts';
import {
  type CustomResourceAnswer,
  type ResponseReceiver,
  startResponseReceiver,
} from './response-receiver.ts';

/** Settings for running custom resources. */
interface CustomResourceSettings {
  readonly stacks: readonly ResolvedStack[];
  /** Keeps what was created, across runs. */
  readonly file: string;
  readonly invoke: (functionArn: string, event: unknown) => Promise<InvokeResult>;
  readonly hasFunction: (arn: string) => boolean;
  readonly log: (line: string) => void;
}

interface CreatedResource extends CustomResourceResult {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A function that has returned may still have its answer on the way. */
const LATE_ANSWER_MS = 1_000;

/** The custom resources of the template that have local behaviour. */
export function readCustomResources(stacks: readonly ResolvedStack[]): readonly ResolvedResource[] {
  return stacks
    .flatMap((stack) => stack.resources)
    .filter(({ type }) => isCustomResource(type) && reasonToIgnore(type) === undefined);
}

/** What earlier runs created, by `STACK/LOGICAL_ID`. @throws LocalFailure `DATA_FOLDER_UNREADABLE` */
export function readCustomResults(file: string): ReadonlyMap<string, CustomResourceResult> {
  return readCreated(file);
}

/**
 * Brings custom resources up to date (CloudFormation User Guide, "Custom resources"). The function answers by a PUT to
 * `ResponseURL`, which is plain HTTP here, or by returning the members of the answer.
 * @returns the results, by `STACK/LOGICAL_ID`
 * @throws LocalFailure `CUSTOM_RESOURCE_FAILED`
 */
export async function applyCustomResources(
  settings: CustomResourceSettings,
): Promise<ReadonlyMap<string, CustomResourceResult>> {
  const created = readCreated(settings.file);
  const wanted = new Map(
    readCustomResources(settings.stacks).map((resource) => [idOf(resource), resource] as const),
  );
  const save = () => writeFileAtomically(settings.file, JSON.stringify(Object.fromEntries(created)));
  const receiver = await startResponseReceiver();
  try {
    for (const [id, resource] of wanted) {
      const before = created.get(id);
      if (before !== undefined && isSame(before.properties, resource.properties)) continue;
      created.set(id, await createOrUpdate(resource, before, receiver, settings));
      save();
    }
    for (const [id, gone] of [...created].filter(([id]) => !wanted.has(id))) {
      await removeGone(id, gone, receiver, settings);
      created.delete(id);
      save();
    }
  } finally {
    await receiver.stop();
  }
  return created;
}

async function createOrUpdate(
  resource: ResolvedResource,
  before: CreatedResource | undefined,
  receiver: ResponseReceiver,
  settings: CustomResourceSettings,
): Promise<CreatedResource> {
  const { type, properties } = resource;
  const id = idOf(resource);
  const change =
    before === undefined
      ? { RequestType: 'Create' }
      : {
          RequestType: 'Update',
          PhysicalResourceId: before.physicalId,
          OldResourceProperties: before.properties,
        };
  const answer = await ask(id, type, properties, change, receiver, settings);
  const physicalId = answer.PhysicalResourceId ?? before?.physicalId ?? randomUUID();
  settings.log(`${id}: ${before === undefined ? 'created' : 'changed'}`);
  // Another physical id means a replacement: the old one is deleted.
  if (before !== undefined && physicalId !== before.physicalId)
    await removeGone(id, before, receiver, settings);
  return { type, properties, physicalId, data: answer.Data ?? {} };
}

// A deletion that fails, or whose function is gone, does not keep the stack from running.
async function removeGone(
  id: string,
  { type, properties, physicalId }: CreatedResource,
  receiver: ResponseReceiver,
  settings: CustomResourceSettings,
): Promise<void> {
  if (!settings.hasFunction(String(properties['ServiceToken']))) {
    settings.log(`${id} is in no template any more, nor is its function: it is forgotten`);
    return;
  }
  const change = { RequestType: 'Delete', PhysicalResourceId: physicalId };
  try {
    await ask(id, type, properties, change, receiver, settings);
    settings.log(`${id}: deleted`);
  } catch (error) {
    settings.log(`${id} is forgotten, though: ${(error as Error).message}`);
  }
}

async function ask(
  id: string,
  type: string,
  properties: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
  receiver: ResponseReceiver,
  { invoke }: CustomResourceSettings,
): Promise<CustomResourceAnswer> {
  const [stack = '', logicalId = ''] = id.split('/');
  const { url, answer } = receiver.expect();
  const [, partition, , region, account] = String(properties['ServiceToken']).split(':');
  const result = await invoke(String(properties['ServiceToken']), {
    ...change,
    ServiceToken: properties['ServiceToken'],
    ResponseURL: url,
    StackId: `arn:${partition}:cloudformation:${region}:${account}:stack/${stack}/local`,
    RequestId: randomUUID(),
    LogicalResourceId: logicalId,
    ResourceType: type,
    ResourceProperties: properties,
  });
  const fail = (why: string) => localFailure('CUSTOM_RESOURCE_FAILED', `${id} (${type}): ${why}`);
  if (result.outcome === 'failed') throw fail(`${result.error.errorType}: ${result.error.errorMessage}`);
  if (result.outcome === 'rejected') throw fail(result.message);
  const returned = result.outcome === 'succeeded' ? readReturned(result.payload) : undefined;
  const given = returned ?? (await Promise.race([answer, sleep(LATE_ANSWER_MS)]));
  if (given === undefined) {
    throw fail('its function neither put an answer to ResponseURL (plain HTTP here) nor returned one');
  }
  if (given.Status === 'FAILED') throw fail(given.Reason ?? 'its function gave no reason');
  return given;
}

function readReturned(payload: Buffer): CustomResourceAnswer | undefined {
  const value = JSON.parse(payload.toString() || 'null') as CustomResourceAnswer | null;
  const isAnswer =
    typeof value === 'object' &&
    value !== null &&
    (value.PhysicalResourceId !== undefined || value.Data !== undefined || value.Status !== undefined);
  return isAnswer ? value : undefined;
}

function readCreated(file: string): Map<string, CreatedResource> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, CreatedResource>));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw localFailure(
      'DATA_FOLDER_UNREADABLE',
      `${file} cannot be read. Delete it: custom resources are then created again.`,
      error,
    );
  }
}

function idOf({ stack, logicalId }: ResolvedResource): string {
  return `${stack}/${logicalId}`;
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
