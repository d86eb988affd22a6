// An app of somebody else that embeds the service, with a role of an operator: `node embedded-app.ts FOLDER`.
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { AccountPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { defineStage, NeuronService } from '../../lib/index.ts';

/** Name of the stack. */
export const EMBEDDED_STACK = 'Embedded';

function build(outdir: string): App {
  const app = new App({ outdir, analyticsReporting: false, treeMetadata: false });
  const stack = new Stack(app, EMBEDDED_STACK);
  const service = new NeuronService(stack, 'Service', {
    stage: defineStage({
      ...{ name: 'embedded', transferMode: 'BUFFERED', protectData: false, pointInTimeRecovery: false },
      ...{ dashboard: false, alarms: undefined, settingsTtl: '1s', secretsTtl: '5s' },
      managedPolicies: undefined,
    }),
  });
  const role = new Role(stack, 'Operators', { assumedBy: new AccountPrincipal(stack.account) });
  service.grantOperate(role);
  new CfnOutput(stack, 'OperatorRole', { value: role.roleArn });
  return app;
}

if (import.meta.main) build(process.argv[2] ?? 'cdk.out').synth();
