// The alarms. Each asks for an action, and its description links to the section of docs/operations.md that says which.
import { Aws } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { acknowledge } from '../../checks/acknowledge.ts';
import type { MonitoredService } from './monitored-service.ts';
import type { Watch } from './watch.ts';
import {
  watchArchive,
  watchHeads,
  watchParts,
  watchProviders,
  watchRollouts,
  watchTraces,
  watchUsage,
} from './watch-parts.ts';
import { watchResponses } from './watch-responses.ts';

export interface AlarmsProps {
  readonly service: MonitoredService;
  /** @default a topic with the stage's addresses; none where there are none */
  readonly alarmTopic?: ITopic | undefined;
}

export class Alarms extends Construct {
  /** Absent where nobody receives the alarms. */
  readonly topic: ITopic | undefined;
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, { service, alarmTopic }: AlarmsProps) {
    super(scope, id);
    this.topic = alarmTopic ?? chooseTopic(this, service);
    const watches = [
      ...watchResponses(this, service),
      ...watchParts(service),
      ...watchUsage(service),
      ...watchProviders(service),
      ...watchHeads(service),
      ...watchArchive(service),
      ...watchRollouts(this, service),
      ...watchTraces(this, service),
    ];
    this.all = watches.map((watch) => this.#watch(watch));
  }

  #watch({ id, summary, section, metric, threshold, periods = 1, ...side }: Watch): Alarm {
    const alarm = new Alarm(this, id, {
      alarmDescription: `${summary} What to do: docs/operations.md#${section}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: comparisonOf(side),
      // Metrics are published with calls only, and no calls are no fault. Of what must run by itself, values that stop coming make the
      // state INSUFFICIENT_DATA, which sends as well; a new alarm begins in that state, so a first deployment sends nothing.
      treatMissingData: side.below ? TreatMissingData.MISSING : TreatMissingData.NOT_BREACHING,
    });
    if (this.topic !== undefined) {
      const action = new SnsAction(this.topic);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
      if (side.below) alarm.addInsufficientDataAction(action);
    }
    return alarm;
  }
}

function comparisonOf({ above, below }: Pick<Watch, 'above' | 'below'>): ComparisonOperator {
  if (below) return ComparisonOperator.LESS_THAN_THRESHOLD;
  return above
    ? ComparisonOperator.GREATER_THAN_THRESHOLD
    : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD;
}

function chooseTopic(scope: Construct, { stage: { alarms } }: MonitoredService): ITopic | undefined {
  if (alarms?.topicArn !== undefined) return Topic.fromTopicArn(scope, 'Topic', alarms.topicArn);
  if (alarms === undefined || alarms.addresses.length === 0) return undefined;
  const topic = new Topic(scope, 'Topic', { enforceSSL: true });
  // A topic policy replaces SNS's default one, which lets every service of the account publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'PublishAlarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  for (const address of alarms.addresses) topic.addSubscription(new EmailSubscription(address));
  acknowledge(
    topic,
    'Serverless::Serverless-SNSRedrivePolicy',
    'A notification that cannot be delivered is useless later; CloudWatch shows the alarm in any case.',
  );
  return topic;
}
