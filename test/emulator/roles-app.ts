// An app of somebody else that embeds the service, with a role for operators and one for auditors: `node roles-app.ts FOLDER`.
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { AccountPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { defineStage, NeuronService } from '../../lib/index.ts';

/** Name of the stack, and of the roles' outputs. */
export const ROLES_STACK = 'Embedded';

function build(outdir: string): App {
  const app = new App({ outdir, analyticsReporting: false, treeMetadata: false });
  const stack = new Stack(app, ROLES_STACK);
  const service = new NeuronService(stack, 'Service', {
    stage: defineStage({
      ...{ name: 'embedded', transferMode: 'BUFFERED', protectData: false, pointInTimeRecovery: false },
      ...{ dashboard: false, alarms: undefined, settingsTtl: '1s', secretsTtl: '5s' },
    }),
  });
  for (const [name, grant] of [
    ['Operator', service.grantOperate],
    ['Auditor', service.grantAudit],
  ] as const) {
    const role = new Role(stack, name, { assumedBy: new AccountPrincipal(stack.account) });
    grant.call(service, role);
    new CfnOutput(stack, `${name}Role`, { value: role.roleArn });
  }
  return app;
}

if (import.meta.main) build(process.argv[2] ?? 'cdk.out').synth();
