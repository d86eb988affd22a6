// Stands in for EventBridge and SNS. What functions send is written to files of the data folder.

import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AwsError,
  jsonReply,
  parseInput,
  type Reply,
  type RunningServer,
  startService,
} from '../loopback/serve.ts';
import { putEvents } from './event-bus.ts';

interface MessagesSettings {
  readonly dataFolder: string;
  readonly accountId: string;
  readonly region: string;
  /** @default Date.now */
  readonly now?: () => number;
  readonly log: (line: string) => void;
}

/** Events, one JSON object per line, as the targets of a rule would get them. */
const EVENTS_FILE = 'events.jsonl';
/** Notifications, one JSON object per line, as subscribers would get them. */
const NOTIFICATIONS_FILE = 'notifications.jsonl';
/** Ten events of 256 KB, escaped. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Starts both services at one endpoint: EventBridge takes AWS JSON, SNS the Query protocol, which has no X-Amz-Target. */
export function startMessagesServer(settings: MessagesSettings): Promise<RunningServer> {
  const { dataFolder, now = Date.now, log } = settings;
  // Before the answer, and readable by this user only.
  const append = (file: string, message: object) =>
    appendFileSync(join(dataFolder, file), `${JSON.stringify(message)}\n`, { mode: 0o600 });
  const answerEvents = (target: string, body: string): Reply => {
    if (target !== 'AWSEvents.PutEvents')
      throw new AwsError('UnknownOperationException', `${target} is not supported.`);
    return jsonReply(putEvents(parseInput(body), settings, now(), (event) => append(EVENTS_FILE, event)));
  };
  const answerTopic = (body: string): Reply => {
    const notification = publish(new URLSearchParams(body), now());
    append(NOTIFICATIONS_FILE, notification);
    return renderPublished(notification);
  };
  const service = {
    name: 'messages',
    maxBodyBytes: MAX_BODY_BYTES,
    answer: (target: string | undefined, body: string) =>
      target === undefined ? answerTopic(body) : answerEvents(target, body),
    renderError: (target: string | undefined, error: AwsError) =>
      target === undefined ? renderError(error) : jsonReply({ __type: error.name, message: error.message }),
  };
  return startService(service, log);
}

/** A notification as subscribers get it, without its signature (SNS Developer Guide, "Parsing message formats"). */
interface DeliveredNotification {
  readonly Type: 'Notification';
  readonly MessageId: string;
  readonly TopicArn: string;
  readonly Subject?: string;
  readonly Message: string;
  readonly Timestamp: string;
}

const TOPIC_ARN = /^arn:[a-z-]+:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_.-]{1,256}$/;
// API_Publish: up to 256 KB; a subject of fewer than 100 characters of ASCII that begins with a letter, number or punctuation mark.
const MAX_MESSAGE_BYTES = 256 * 1024;
const SUBJECT = /^[!-~][ -~]{0,98}$/;
const NAMESPACE = 'xmlns="http://sns.amazonaws.com/doc/2010-03-31/"';

function publish(parameters: URLSearchParams, nowMs: number): DeliveredNotification {
  if (parameters.get('Action') !== 'Publish')
    throw new AwsError('InvalidAction', 'Only the action Publish is supported.');
  const topic = parameters.get('TopicArn') ?? parameters.get('TargetArn') ?? '';
  const message = parameters.get('Message') ?? '';
  const subject = parameters.get('Subject');
  if (!TOPIC_ARN.test(topic)) throw invalid('TopicArn');
  if (message === '') throw invalid('Empty message');
  if (Buffer.byteLength(message) > MAX_MESSAGE_BYTES) throw invalid('Message too long');
  if (subject !== null && !SUBJECT.test(subject)) throw invalid('Subject');
  return {
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: topic,
    ...(subject === null ? {} : { Subject: subject }),
    Message: message,
    Timestamp: new Date(nowMs).toISOString(),
  };
}

function renderPublished({ MessageId }: DeliveredNotification): Reply {
  return xml(
    `<PublishResponse ${NAMESPACE}><PublishResult><MessageId>${MessageId}</MessageId></PublishResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></PublishResponse>`,
  );
}

/** An error; the texts are ours and need no escaping. */
function renderError({ name, message }: AwsError): Reply {
  return xml(
    `<ErrorResponse ${NAMESPACE}><Error><Type>Sender</Type><Code>${name}</Code><Message>${message}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );
}

function xml(body: string): Reply {
  return { type: 'text/xml', body };
}

function invalid(parameter: string): AwsError {
  return new AwsError('InvalidParameter', `Invalid parameter: ${parameter}`);
}
