// An app of your own that embeds the service, with a KMS key and a domain that your platform already has.
import { App, Stack } from 'aws-cdk-lib';
import { DomainName } from 'aws-cdk-lib/aws-apigateway';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { AccountPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { defineStage, NeuronService } from 'neuron-execution-service';

const ACCOUNT = '111122223333';
const REGION = 'eu-central-1';

const app = new App();
const stack = new Stack(app, 'Neurons', { env: { account: ACCOUNT, region: REGION } });

const service = new NeuronService(stack, 'Service', {
  // Production's settings, except for those given here. Synth validates `neurons` as `neuron apply` will.
  stage: defineStage({
    name: 'own',
    region: REGION,
    neurons: 'settings',
    alarms: { addresses: [], dailySpending: 20 },
  }),
  encryptionKey: Key.fromKeyArn(
    stack,
    'Key',
    `arn:aws:kms:${REGION}:${ACCOUNT}:key/0a1b2c3d-0000-4000-8000-000000000000`,
  ),
  domain: {
    domainName: DomainName.fromDomainNameAttributes(stack, 'Domain', {
      domainName: 'api.example.com',
      domainNameAliasTarget: `d-0123456789.execute-api.${REGION}.amazonaws.com`,
      domainNameAliasHostedZoneId: 'Z0123456789ABC',
    }),
    basePath: 'neurons',
  },
});

// Who may run the `neuron` command, and who may read the audit trail.
service.grantOperate(new Role(stack, 'Operators', { assumedBy: new AccountPrincipal(ACCOUNT) }));
service.grantAudit(new Role(stack, 'Auditors', { assumedBy: new AccountPrincipal(ACCOUNT) }));

// An alarm of your own on one of the service's metrics.
new Alarm(stack, 'ManyRefusals', {
  metric: service.metric('limitRefusals'),
  threshold: 1000,
  evaluationPeriods: 1,
});

app.synth();
