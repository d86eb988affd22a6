// Looks a stack up where the options point: in CloudFormation, or in what a local run wrote down.
import { CloudFormationClient, paginateDescribeStacks } from '@aws-sdk/client-cloudformation';
import { clientSettings } from './aws-settings.ts';
import { findLocalStack } from './local-stack.ts';
import type { GlobalOptions } from './options.ts';
import { chooseStack, type FoundStack, type Stack } from './stack.ts';

/** Finds the stack. Throws `CommandFailure`, or what the AWS client throws. */
export async function findStack(options: GlobalOptions, folder: string): Promise<Stack> {
  if (options.local !== undefined) return findLocalStack(options.local, options.stack, folder);
  const { region, profile } = options;
  const client = new CloudFormationClient(clientSettings({ region, profile, local: undefined }));
  const found: FoundStack[] = [];
  // All of them, also where one is named: the refusal for a wrong name lists the right ones.
  for await (const page of paginateDescribeStacks({ client }, {})) {
    for (const { StackName: name = '', Outputs: outputs = [] } of page.Stacks ?? []) {
      found.push({
        name,
        outputs: Object.fromEntries(outputs.map((one) => [one.OutputKey ?? '', one.OutputValue ?? ''])),
      });
    }
  }
  const used = region ?? (await client.config.region());
  const chosen = chooseStack(found, options.stack, used);
  return {
    ...chosen,
    url: chosen.outputs.apiUrl.replace(/\/+$/, ''),
    region: used,
    profile,
    local: undefined,
  };
}
