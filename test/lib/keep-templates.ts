// `node test/lib/keep-templates.ts`: keeps today's templates as those of the release in package.json, for test/lib/upgrade.test.ts. Run once with
// each release, and never again for one that is out.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildApp } from '../../lib/app.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { KEPT_STAGES, STACKS } from './kept-templates.ts';

const kept = join(import.meta.dirname, 'fixtures', 'releases', packageJson.version);

/** A line per resource and output, so that a review sees which one changed. */
function toLines(members: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(members).map(([id, one]) => `${JSON.stringify(id)}:${JSON.stringify(one)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

mkdirSync(kept, { recursive: true });
for (const [name, { stage, overrides }] of Object.entries(KEPT_STAGES)) {
  const outdir = mkdtempSync(join(tmpdir(), 'neuron-keep-'));
  const code = Code.fromAsset(join(import.meta.dirname, 'stub-function'));
  buildApp({ stage, overrides, outdir, code }).synth();
  for (const [stack, prefix] of Object.entries(STACKS)) {
    const { Resources, Outputs } = JSON.parse(
      readFileSync(join(outdir, `${prefix}-${stage}.template.json`), 'utf8'),
    );
    writeFileSync(
      join(kept, `${stack}-${name}.generated.json`),
      `{"Resources":${toLines(Resources)},"Outputs":${toLines(Outputs)}}\n`,
    );
  }
  rmSync(outdir, { recursive: true });
}
