// `node test/lib/keep-templates.ts`: keeps today's templates as those of the release before, for test/lib/upgrade.test.ts. Run with a release.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildApp } from '../../lib/app.ts';

const STACKS = { data: 'NeuronData', api: 'NeuronApi' };
const KEPT = join(import.meta.dirname, 'fixtures', 'previous');

for (const stage of ['dev', 'prod']) {
  const outdir = mkdtempSync(join(tmpdir(), 'neuron-keep-'));
  const code = Code.fromAsset(join(import.meta.dirname, 'stub-function'));
  buildApp({ stage, outdir, code }).synth();
  for (const [name, stack] of Object.entries(STACKS)) {
    const { Resources } = JSON.parse(
      readFileSync(join(outdir, `${stack}-${stage}.template.json`), 'utf8'),
    ) as {
      readonly Resources: Readonly<Record<string, unknown>>;
    };
    // A line per resource, so that a review sees which one changed.
    const lines = Object.entries(Resources).map(
      ([id, resource]) => `${JSON.stringify(id)}:${JSON.stringify(resource)}`,
    );
    writeFileSync(
      join(KEPT, `${name}-${stage}.generated.json`),
      `{"Resources":{\n${lines.join(',\n')}\n}}\n`,
    );
  }
  rmSync(outdir, { recursive: true });
}
