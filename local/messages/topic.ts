// The operation Publish of SNS in the Query protocol: its checks, and the notification that subscribers would get.

import { randomUUID } from 'node:crypto';
import { AwsError, type Reply } from '../loopback/serve.ts';

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

/** The notification of a call. @throws AwsError */
export function publish(parameters: URLSearchParams, nowMs: number): DeliveredNotification {
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

export function renderPublished({ MessageId }: DeliveredNotification): Reply {
  return xml(
    `<PublishResponse ${NAMESPACE}><PublishResult><MessageId>${MessageId}</MessageId></PublishResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></PublishResponse>`,
  );
}

/** An error; the texts are ours and need no escaping. */
export function renderError({ name, message }: AwsError): Reply {
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
