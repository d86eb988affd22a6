// Serves the stand-ins for EventBridge and SNS on 127.0.0.1. What functions send is written to files of the data folder.

import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createLoopbackAccess, type LoopbackAccess } from '../loopback/access.ts';
import { listenOnLoopback } from '../loopback/listen.ts';
import { type EventOrigin, putEvents } from './event-bus.ts';
import { MessageError } from './failure.ts';
import { publish, renderPublished, renderRefused } from './topic.ts';

/** The stand-ins, answering at one endpoint: their protocols tell the calls apart. */
export interface MessagesServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** What the stand-ins work with. */
interface MessagesSettings {
  readonly dataFolder: string;
  readonly origin: EventOrigin;
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** Events that were put, one JSON object per line, as the targets of a rule would get them. */
const EVENTS_FILE = 'events.jsonl';
/** Notifications that were published, one JSON object per line, as subscribers would get them. */
const NOTIFICATIONS_FILE = 'notifications.jsonl';

const PUT_EVENTS = 'AWSEvents.PutEvents';
const JSON_TYPE = 'application/x-amz-json-1.1';
const XML_TYPE = 'text/xml';
/** Ten events of 256 KB, escaped. */
const LONGEST_BODY_BYTES = 4 * 1024 * 1024;

/** Starts the server on a free port and a secret path. */
export async function startMessagesServer(settings: MessagesSettings): Promise<MessagesServer> {
  const access = createLoopbackAccess();
  const server = createServer((request, response) => {
    answer(settings, access, request, response).catch((error: unknown) => {
      settings.log(`messages: ${(error as Error).message}`);
      if (!response.headersSent)
        send(response, 500, JSON_TYPE, JSON.stringify({ __type: 'InternalException' }));
    });
  });
  const { origin, stop } = await listenOnLoopback(server);
  return { endpoint: `${origin}${access.path}`, stop };
}

async function answer(
  settings: MessagesSettings,
  access: LoopbackAccess,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isEvents = request.headers['x-amz-target'] !== undefined;
  const reason = access.forbiddenReason(request) ?? unsignedReason(request);
  if (reason !== undefined) {
    request.resume();
    refuse(response, isEvents, 403, new MessageError('AccessDeniedException', reason));
    return;
  }
  const body = await readBody(request);
  try {
    if (isEvents)
      send(response, 200, JSON_TYPE, takeEvents(settings, String(request.headers['x-amz-target']), body));
    else send(response, 200, XML_TYPE, takeNotification(settings, body));
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    refuse(response, isEvents, 400, error);
  }
}

function unsignedReason({ headers }: IncomingMessage): string | undefined {
  return headers.authorization === undefined ? 'Missing Authentication Token' : undefined;
}

function takeEvents({ dataFolder, origin, now }: MessagesSettings, target: string, body: string): string {
  if (target !== PUT_EVENTS)
    throw new MessageError('UnknownOperationException', `${target} is not supported.`);
  const answered = putEvents(parse(body), origin, now(), (event) => append(dataFolder, EVENTS_FILE, event));
  return JSON.stringify(answered);
}

function takeNotification({ dataFolder, now }: MessagesSettings, body: string): string {
  const parameters = new URLSearchParams(body);
  if (parameters.get('Action') !== 'Publish')
    throw new MessageError('InvalidAction', 'Only the action Publish is supported.');
  const notification = publish(parameters, now());
  append(dataFolder, NOTIFICATIONS_FILE, notification);
  return renderPublished(notification);
}

/** Appended before the answer, so that what was answered is in the file. Readable by this user only. */
function append(dataFolder: string, file: string, message: object): void {
  appendFileSync(join(dataFolder, file), `${JSON.stringify(message)}\n`, { mode: 0o600 });
}

function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Refused below.
  }
  throw new MessageError('SerializationException', 'The body is not a JSON object.');
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= LONGEST_BODY_BYTES) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function refuse(response: ServerResponse, isEvents: boolean, status: number, error: MessageError): void {
  if (!isEvents) send(response, status, XML_TYPE, renderRefused(error));
  else send(response, status, JSON_TYPE, JSON.stringify({ __type: error.name, message: error.message }));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}
