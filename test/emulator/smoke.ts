// `npm run smoke` against the emulator: what it says of each claim, and why the emulator differs where it does.
import { ROOT } from '../e2e/support/command.ts';
import type { Assembly } from './deployment.ts';
import type { Check, KnownDeviation } from './row.ts';
import { tryProgram } from './run-program.ts';
import { findOrigin, type World } from './world.ts';

const PAGES = 'https://docs.aws.amazon.com';
const UNFILLED: KnownDeviation = {
  seen: /^FAILED.*\$context\./,
  because:
    'the emulator fills only `$context.error.*` into gateway responses; an example of AWS fills others ' +
    `(${PAGES}/apigateway/latest/developerguide/set-up-gateway-responses-in-swagger.html), none shows the request id. ` +
    'The answer is whole without it',
};

/** By the name of the smoke check. */
const DEVIATIONS: Readonly<Record<string, KnownDeviation>> = {
  'encoded-slug': {
    seen: /^FAILED.*got 200/,
    because:
      'the emulator decodes path parameters before the function sees them; recorded events of AWS have them as sent. ' +
      'Slugs are checked either way: the decoded one names an existing neuron',
  },
  'execution-id-in-gateway-response': UNFILLED,
  'semantic-search': {
    seen: /^FAILED.*X-Cache was (?:miss(?:, )?)+/,
    because:
      'the emulator drops `VectorIndexes` of a table without a word, so there is nothing to search; AWS makes them ' +
      `(${PAGES}/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html). The answer is a miss, as documented here`,
  },
};

/** One check for each line that the smoke run prints. The stage must be deployed. */
export async function smokeChecks(world: World, { stage }: Assembly): Promise<readonly Check[]> {
  const url = await findOrigin(world, stage);
  const { stdout, stderr } = await tryProgram(
    process.execPath,
    ['test/smoke/main.ts', '--url', url, '--stack', `NeuronApi-${stage}`, '--transfer-mode', 'BUFFERED'],
    { folder: ROOT, environment: world.environment },
  );
  const lines = stdout.split('\n').filter((line) => /^(?:ok|not tried|FAILED) /.test(line));
  if (lines.length === 0) throw new Error(`the smoke run printed no check: ${stderr}`);
  return lines.map((line) => {
    const name = /^(?:ok|not tried|FAILED) +([^:]+):/.exec(line)?.[1] ?? line;
    const deviation = DEVIATIONS[name];
    return {
      name: `smoke ${name}`,
      expected: /^(?:ok|not tried) /,
      observe: () => Promise.resolve(line),
      ...(deviation === undefined ? {} : { deviation }),
    };
  });
}
