// An app of somebody else that embeds the service, with a role for each kind of people: `node roles-app.ts FOLDER`.
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { AccountPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { defineStage, NeuronService } from '../../lib/index.ts';
import { ORGANIZATION } from '../smoke/settings.ts';
import { ROLES, type RoleName } from './role-commands.ts';

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
  const grants: Readonly<Record<RoleName, (role: Role) => unknown>> = {
    operator: (role) => service.grantOperate(role),
    auditor: (role) => service.grantAudit(role),
    author: (role) => service.grantAuthor(role, { organizations: [ORGANIZATION] }),
    keys: (role) => service.grantKeys(role),
  };
  for (const name of ROLES) {
    const role = new Role(stack, name, { assumedBy: new AccountPrincipal(stack.account) });
    grants[name](role);
    new CfnOutput(stack, `${name}Role`, { value: role.roleArn });
  }
  return app;
}

if (import.meta.main) build(process.argv[2] ?? 'cdk.out').synth();
