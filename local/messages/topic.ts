// The operation Publish of SNS in the Query protocol: what it checks, and the notification that subscribers would get.

import { randomUUID } from 'node:crypto';
import { MessageError } from './failure.ts';

/** A notification as subscribers get it, without its signature (SNS Developer Guide, "Parsing message formats"). */
export interface DeliveredNotification {
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

/** The notification of a call. */
export function publish(parameters: URLSearchParams, nowMs: number): DeliveredNotification {
  const topic = parameters.get('TopicArn') ?? parameters.get('TargetArn') ?? '';
  const message = parameters.get('Message') ?? '';
  const subject = parameters.get('Subject');
  if (!TOPIC_ARN.test(topic)) throw invalid('TopicArn');
  if (message === '') throw new MessageError('InvalidParameter', 'Invalid parameter: Empty message');
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

/** The answer of the call in XML. */
export function renderPublished({ MessageId }: DeliveredNotification): string {
  return `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>${MessageId}</MessageId></PublishResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></PublishResponse>`;
}

/** An error in XML; the texts are ours and need no escaping. */
export function renderRefused({ name, message }: MessageError): string {
  return `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>${name}</Code><Message>${message}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`;
}

function invalid(what: string): MessageError {
  return new MessageError('InvalidParameter', `Invalid parameter: ${what}`);
}
