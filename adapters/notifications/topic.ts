// Publishes an alert as a notification of an SNS topic.
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { AlertDetail } from '../../core/contract/alert-event.ts';
import { clientLimits } from './client-limits.ts';

/** Subjects of e-mails have fewer than 100 characters (API_Publish). */
const MAX_SUBJECT = 99;

/** Made when this file is loaded; region, credentials and endpoint come from the standard AWS variables. */
const client = new SNSClient(clientLimits());

/** One call. Throws where SNS did not take the notification, and where it may have. */
export async function publish(topicArn: string, detail: AlertDetail): Promise<void> {
  const subject = `Neuron ${detail.stage}: ${detail.share}% of a limit of ${detail.organization} is used`;
  await client.send(
    new PublishCommand({
      TopicArn: topicArn,
      Subject: subject.slice(0, MAX_SUBJECT),
      Message: `${detail.summary}\n\n${JSON.stringify(detail, null, 2)}\n`,
    }),
  );
}
