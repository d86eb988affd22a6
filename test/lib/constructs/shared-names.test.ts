// Names that an account or a region has only once: two services must not ask for the same one.
import { type App, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { expect, it } from 'vitest';
import { NeuronService } from '../../../lib/constructs/neuron-service.ts';
import { defineStage } from '../../../lib/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { plainApp, stubCode, type Template } from '../synthesized.ts';

const outdir = temporaryFolder();
const text = (value: unknown) => JSON.stringify(value);

/** Properties that name a resource for the whole account or region. */
const SHARED_NAMES = [
  ...['RoleName', 'PolicyName', 'FunctionName', 'TableName', 'TopicName', 'AlarmName', 'DashboardName'],
  ...['DeliveryStreamName', 'LogGroupName', 'BucketName', 'Name'],
];

/** These name something within their API, role or log group, contain the API's id, or refer to another resource. */
const SCOPED =
  /^AWS::(?:ApiGateway::|IAM::Policy$|Logs::(?:Log(?:Group|Stream)|MetricFilter)$|Lambda::(?!Function$))/;

it('gives a second service of the same stage, and one in another region, other names where names are shared', () => {
  const fixedNames = (stackName: string, region: string) => {
    const stack = new Stack(plainApp(outdir), stackName, { env: { account: '111122223333', region } });
    const logBucket = Bucket.fromBucketName(stack, 'Logs', 'logs-of-ours');
    const service = { stage: defineStage({ name: 'own' }), code: stubCode(), logBucket };
    new NeuronService(stack, 'Neurons', service);
    const template = (stack.node.root as App).synth().getStackByName(stackName).template as Template;
    return Object.values(template.Resources).flatMap(({ Type, Properties = {} }) =>
      SHARED_NAMES.flatMap((name) =>
        name in Properties && !SCOPED.test(Type) ? [`${Type} ${text(Properties[name])}`] : [],
      ),
    );
  };
  const first = fixedNames('First', 'eu-central-1');
  expect(first.map((name) => name.split(' ')[0]).toSorted()).toEqual([
    'AWS::CloudWatch::Dashboard',
    'AWS::KinesisFirehose::DeliveryStream',
  ]);
  const second = fixedNames('Second', 'eu-central-1');
  expect(second.filter((name) => first.includes(name))).toEqual([]);
  // Dashboards are shared by all regions of an account; everything else is in one region.
  const elsewhere = fixedNames('First', 'eu-west-1');
  expect(
    elsewhere.filter((name) => name.startsWith('AWS::CloudWatch::Dashboard') && first.includes(name)),
  ).toEqual([]);
});
