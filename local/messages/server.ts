// Stands in for EventBridge and SNS. What functions send is written to files of the data folder.

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
import { publish, renderError, renderPublished } from './topic.ts';

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
