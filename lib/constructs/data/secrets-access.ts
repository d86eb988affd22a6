// The secrets of organizations: made by the `neuron` command, never by a stack, and read by name pattern.
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import type { ServiceFunction } from '../compute/service-function.ts';

/** What one secret per organization is for. */
export type SecretPurpose = 'providers' | 'jwt' | 'log';

/** Secrets are named `PREFIX/ORGANIZATION_ID/PURPOSE`. */
export function secretPrefix({ name }: Stage): string {
  return `neuron/${name}`;
}

/** Lets a function read the secrets of every organization for some purposes, and no other. */
export function grantReadSecrets(
  { role }: ServiceFunction,
  stage: Stage,
  purposes: readonly SecretPurpose[],
): void {
  // Secrets Manager ends each ARN in a hyphen and six random characters. A secret that does not exist has none: without the
  // bare name the answer would be "access denied", and a key that nobody has set would look like a store that fails.
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
      'Organizations come and go without a deployment, so their ids cannot be named; stage and purpose are.',
    );
  }
}
