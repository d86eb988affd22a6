// Tests of the stand-ins for EventBridge and SNS with the real SDK clients. Behaviour: API references of both services.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, describe, expect, it } from 'vitest';
import { startMessagesServer } from '../../messages/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const dataFolder = temporaryFolder();
const logged: string[] = [];
const server = await startMessagesServer({
  dataFolder,
  accountId: '111122223333',
  region: 'eu-west-1',
  now: () => NOW_MS,
  log: (line) => logged.push(line),
});
const settings = {
  endpoint: server.endpoint,
  region: 'eu-west-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  maxAttempts: 1,
};
const events = new EventBridgeClient(settings);
const topics = new SNSClient(settings);
afterAll(async () => {
  events.destroy();
  topics.destroy();
  await server.stop();
});

const lines = (file: string): unknown[] =>
  readFileSync(join(dataFolder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const ENTRY = { Source: 'shop', DetailType: 'Order Placed', Detail: '{"order":7}' };
const TOPIC = 'arn:aws:sns:eu-west-1:111122223333:alerts';

describe('the stand-in for EventBridge', () => {
  it('writes each event as the targets of a rule would get it, to a file of this user alone', async () => {
    const answer = await events.send(
      new PutEventsCommand({
        Entries: [
          { ...ENTRY, EventBusName: 'alerts', Time: new Date(1000), Resources: ['arn:x'] },
          { ...ENTRY, Detail: '{}' },
        ],
      }),
    );
    expect(answer).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId: expect.any(String) }, {}] });
    expect(lines('events.jsonl')).toEqual([
      {
        version: '0',
        id: answer.Entries?.[0]?.EventId,
        'detail-type': 'Order Placed',
        source: 'shop',
        account: '111122223333',
        time: '1970-01-01T00:00:01Z',
        region: 'eu-west-1',
        resources: ['arn:x'],
        detail: { order: 7 },
        eventBus: 'alerts',
      },
      expect.objectContaining({
        time: '2026-11-21T12:00:00Z',
        resources: [],
        detail: {},
        eventBus: 'default',
      }),
    ]);
    expect(statSync(join(dataFolder, 'events.jsonl')).mode & 0o777).toBe(0o600);
  });

  it('refuses single entries in its answer, and calls without entries or with more than ten', async () => {
    const { FailedEntryCount, Entries = [] } = await events.send(
      new PutEventsCommand({
        Entries: [
          { ...ENTRY, Source: '' },
          { ...ENTRY, DetailType: '' },
          { ...ENTRY, Source: 'aws.s3' },
          { ...ENTRY, Detail: '[1]' },
          { ...ENTRY, Detail: '{' },
          ENTRY,
        ],
      }),
    );
    expect(FailedEntryCount).toBe(5);
    expect(Entries.map(({ ErrorCode }) => ErrorCode)).toEqual([
      'InvalidArgument',
      'InvalidArgument',
      'NotAuthorizedForSourceException',
      'MalformedDetail',
      'MalformedDetail',
      undefined,
    ]);
    for (const count of [0, 11]) {
      const call = events.send(new PutEventsCommand({ Entries: Array.from({ length: count }, () => ENTRY) }));
      await expect(call).rejects.toMatchObject({ name: 'ValidationException' });
    }
  });
});

describe('the stand-in for SNS', () => {
  it('writes each notification as subscribers would get it', async () => {
    const Message = 'first line\n"ü" & <b>';
    const { MessageId } = await topics.send(
      new PublishCommand({ TopicArn: TOPIC, Subject: 'A subject', Message }),
    );
    await topics.send(new PublishCommand({ TopicArn: TOPIC, Message: 'no subject' }));
    expect(lines('notifications.jsonl')).toEqual([
      {
        Type: 'Notification',
        MessageId,
        TopicArn: TOPIC,
        Subject: 'A subject',
        Message,
        Timestamp: '2026-11-21T12:00:00.000Z',
      },
      expect.not.objectContaining({ Subject: expect.anything() }),
    ]);
  });

  it.each([
    ['a topic that is no ARN', { TopicArn: 'alerts', Message: 'm' }],
    ['an empty message', { TopicArn: TOPIC, Message: '' }],
    ['a message that is too long', { TopicArn: TOPIC, Message: 'x'.repeat(256 * 1024 + 1) }],
    ['a subject of 100 characters', { TopicArn: TOPIC, Message: 'm', Subject: 'x'.repeat(100) }],
    ['a subject with a line break', { TopicArn: TOPIC, Message: 'm', Subject: 'a\nb' }],
  ])('refuses %s', async (_name, input) => {
    await expect(topics.send(new PublishCommand(input))).rejects.toMatchObject({
      name: expect.stringMatching(/^InvalidParameter/),
    });
  });
});

describe('the endpoint of the stand-ins', () => {
  const call = (headers: Record<string, string>, body = '{}', url = server.endpoint) =>
    fetch(url, { method: 'POST', headers, body });
  const signed = { authorization: 'AWS4-HMAC-SHA256 x' };

  it.each<[string, Record<string, string>, number]>([
    ['no signature', { 'x-amz-target': 'AWSEvents.PutEvents' }, 403],
    ['no signature on SNS', {}, 403],
    ['an Origin, as web pages send', { ...signed, origin: 'https://attacker.example' }, 403],
    ['another operation of EventBridge', { ...signed, 'x-amz-target': 'AWSEvents.PutRule' }, 400],
    ['another action of SNS', { ...signed, 'content-type': 'application/x-www-form-urlencoded' }, 400],
  ])('refuses a call with %s', async (_name, headers, status) => {
    const answer = await call(headers, 'Action=CreateTopic');
    expect(answer.status).toBe(status);
    await answer.text();
  });

  it('refuses a body that is no object, and another path', async () => {
    const target = { ...signed, 'x-amz-target': 'AWSEvents.PutEvents' };
    expect(await (await call(target, '7')).json()).toMatchObject({ __type: 'SerializationException' });
    expect((await call(target, '{}', new URL('/', server.endpoint).href)).status).toBe(403);
    expect(logged).toEqual([]);
  });
});
