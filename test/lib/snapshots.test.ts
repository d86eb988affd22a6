// The templates as a whole, so that a change of anything shows in a review; hashes of code are left out.
import { describe, expect, it } from 'vitest';
import { synthesize, type Template } from './synthesized.ts';

/** Hashes that change with the functions' code or with any method, and say nothing to a reader. */
function redact(template: unknown): string {
  return `${JSON.stringify(template, undefined, 1)
    .replaceAll(/[0-9a-f]{64}/g, 'HASH')
    .replaceAll(/(RestApiDeployment[0-9A-F]{8})[0-9a-f]{32}/g, '$1HASH')}\n`;
}

const dev = synthesize('dev');
const prod = synthesize('prod');

describe('the template', () => {
  it.each([
    ['data-dev', dev.data],
    ['data-prod', prod.data],
    ['api-dev', dev.api],
  ])('%s is as it was last reviewed', async (name, template) => {
    await expect(redact(template)).toMatchFileSnapshot(`__snapshots__/${name}.json.snap`);
  });

  it('of the API has the same resources in development and in production, except for monitoring', () => {
    const types = ({ Resources }: Template) =>
      Object.values(Resources)
        .map(({ Type }) => Type)
        .filter((type) => !/^AWS::(?:CloudWatch|SNS|XRay)::|^AWS::Logs::MetricFilter$/.test(type));
    expect(types(prod.api)).toEqual(types(dev.api));
  });
});
