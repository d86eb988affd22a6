// The operation PutEvents of EventBridge: its checks of each entry, and the event that targets of a rule would get.

import { randomUUID } from 'node:crypto';
import { parseObject } from '../json.ts';
import { AwsError } from '../loopback/serve.ts';

interface EventOrigin {
  readonly accountId: string;
  readonly region: string;
}

/** An event as targets get it (EventBridge User Guide, "AWS service event metadata"). */
interface DeliveredEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: object;
  /** Not part of AWS's event: the bus that the event was put on. */
  readonly eventBus: string;
}

type Fields = Readonly<Record<string, unknown>>;
type Entry = { readonly EventId: string } | { readonly ErrorCode: string; readonly ErrorMessage: string };

interface PutEventsAnswer {
  readonly FailedEntryCount: number;
  readonly Entries: readonly Entry[];
}

// API_PutEvents: "Array Members: Minimum number of 1 item. Maximum number of 10 items."
const MAX_ENTRIES = 10;

/** Delivers each valid entry; an invalid one is named in the answer, as AWS does. @throws AwsError */
export function putEvents(
  input: Fields,
  origin: EventOrigin,
  nowMs: number,
  deliver: (event: DeliveredEvent) => void,
): PutEventsAnswer {
  const { Entries: entries } = input;
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > MAX_ENTRIES)
    throw new AwsError('ValidationException', `Entries must have 1 to ${MAX_ENTRIES} members.`);
  const answered = entries.map((entry: Fields): Entry => {
    const error = validate(entry);
    if (error !== undefined) return error;
    const event = toEvent(entry, origin, nowMs);
    deliver(event);
    return { EventId: event.id };
  });
  return {
    FailedEntryCount: answered.filter((entry) => 'ErrorCode' in entry).length,
    Entries: answered,
  };
}

/** Codes as in API_PutEventsResultEntry. */
function validate({ Source: source, DetailType: type, Detail: detail }: Fields): Entry | undefined {
  if (typeof source !== 'string' || source === '') return invalid('Parameter Source is not valid.');
  if (typeof type !== 'string' || type === '') return invalid('Parameter DetailType is not valid.');
  if (source.startsWith('aws.'))
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  return parseObject(String(detail)) === undefined
    ? { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' }
    : undefined;
}

function invalid(ErrorMessage: string): Entry {
  return { ErrorCode: 'InvalidArgument', ErrorMessage };
}

function toEvent(entry: Fields, { accountId, region }: EventOrigin, nowMs: number): DeliveredEvent {
  const { Time: seconds, Resources: resources, EventBusName: bus } = entry;
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': String(entry['DetailType']),
    source: String(entry['Source']),
    account: accountId,
    // AWS gives times in seconds, without fractions.
    time: `${new Date(typeof seconds === 'number' ? seconds * 1000 : nowMs).toISOString().slice(0, 19)}Z`,
    region,
    resources: Array.isArray(resources) ? resources.map(String) : [],
    detail: parseObject(String(entry['Detail'])) ?? {},
    eventBus: typeof bus === 'string' ? bus : 'default',
  };
}
