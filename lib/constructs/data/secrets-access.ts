// The secrets of organizations: the `neuron` command creates them, never a stack, and functions read them by name pattern.
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import type { ServiceFunction } from '../compute/service-function.ts';

/** An organization has one secret for each function that reads secrets. */
type SecretPurpose = 'providers' | 'jwt';

/** Secrets are named `PREFIX/ORGANIZATION_ID/PURPOSE`. */
export function secretPrefix({ name }: Stage): string {
  return `neuron/${name}`;
}

/** Grants a function the secrets of every organization for the given purposes only. */
export function grantReadSecrets(
  { role }: ServiceFunction,
  stage: Stage,
  purposes: readonly SecretPurpose[],
): void {
  // Secrets Manager ends each ARN in a hyphen and six random characters. A secret that does not exist has no such ARN: without
  // the bare name the answer would be "access denied", and a missing secret would look like a failing store.
  const names = purposes.flatMap((purpose) => [`${purpose}-??????`, purpose]);
  const resources = names.map((name) =>
    Stack.of(role).formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      resourceName: `${secretPrefix(stage)}/*/${name}`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  );
  role.addToPolicy(
    new PolicyStatement({ sid: 'ReadSecrets', actions: ['secretsmanager:GetSecretValue'], resources }),
  );
  for (const resource of resources) {
    acknowledgeWildcard(
      role,
      resource,
      'Organizations come and go without a deployment, so the ARN cannot name them; it names stage and purpose.',
    );
  }
}
