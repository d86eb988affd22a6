// The checks of `npm run smoke` against the emulator, and why it differs from AWS where it does.
import { callUrl } from '../e2e/support/call.ts';
import type { Deployment } from '../smoke/check.ts';
import { CHECKS, tryCheck } from '../smoke/checks.ts';
import type { Assembly } from './deployment.ts';
import type { Check, KnownDeviation } from './row.ts';
import { findOrigin, type World } from './world.ts';

const PAGES = 'https://docs.aws.amazon.com';
const UNFILLED: KnownDeviation = {
  seen: /^failed: .*\$context\./,
  because:
    'the emulator fills only `$context.error.*` into gateway responses; an example of AWS fills others ' +
    `(${PAGES}/apigateway/latest/developerguide/set-up-gateway-responses-in-swagger.html), none shows the request id. ` +
    'The answer is whole without it',
};

/** By the name of the smoke check. */
const DEVIATIONS: Readonly<Record<string, KnownDeviation>> = {
  'encoded-slug': {
    seen: /^failed: .*got 200/,
    because:
      'the emulator decodes path parameters before the function sees them; recorded events of AWS have them as sent. ' +
      'Slugs are checked either way: the decoded one names an existing neuron',
  },
  'execution-id-in-gateway-response': UNFILLED,
  'semantic-search': {
    seen: /^failed: .*X-Cache was (?:miss(?:, )?)+/,
    because:
      'the emulator drops `VectorIndexes` of a table without a word, so there is nothing to search; AWS makes them ' +
      `(${PAGES}/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html). The answer is a miss, as documented here`,
  },
};

/** One check for each of the smoke run. The stage must be deployed, and have the settings of the smoke run. */
export async function smokeChecks(world: World, { stage }: Assembly): Promise<readonly Check[]> {
  const url = await findOrigin(world, stage);
  const stackName = `NeuronApi-${stage}`;
  const deployment: Deployment = {
    ...{ url, stackName, isLocal: false, transferMode: 'BUFFERED', calls: 20 },
    ...{ slow: false, interrupt: false },
    call: (path, options) => callUrl(url, path, options),
    neuron: (words) => world.neuron([...words, '--stack', stackName, '--yes']),
  };
  return CHECKS.map((check) => {
    const deviation = DEVIATIONS[check.name];
    return {
      name: `smoke ${check.name}`,
      expected: /^(?:ok|notTried): /,
      async observe() {
        const [[kind, detail] = []] = Object.entries(await tryCheck(check, deployment));
        return `${kind}: ${detail}`;
      },
      ...(deviation === undefined ? {} : { deviation }),
    };
  });
}
