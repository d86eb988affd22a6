// Assertions of `neuron test` beside those of the released promptfoo: the same verdict, or a difference that docs/promptfoo.md lists.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { validateJson } from '../../adapters/schema/validate-json.ts';
import { testsSchema } from '../../core/settings/tests/tests-schema.ts';
import { seeded } from '../../core/statistics/seeded.ts';
import { assessAnswer } from '../../core/tests/assertions/assess.ts';
import { cosineOf, readJudgement } from '../../core/tests/suite/judge.ts';
import { installPromptfoo } from '../clients/install.ts';
import {
  GENERATORS,
  type GeneratedCase,
  generateCase,
  generateMixed,
  isLoose,
} from '../clients/promptfoo/generate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const isAsked = process.env['NEURON_E2E_LONG'] !== undefined;
const OUTPUTS = 500;
const run = promisify(execFile);

interface Verdict {
  readonly pass?: boolean;
  readonly score?: number;
  readonly error?: string;
}

let home = '';
let folder = '';

async function assessThere(cases: readonly GeneratedCase[]): Promise<readonly Verdict[]> {
  const env = {
    ...process.env,
    PROMPTFOO_DISABLE_TELEMETRY: '1',
    PROMPTFOO_DISABLE_UPDATE: '1',
    PROMPTFOO_CONFIG_DIR: home,
  };
  const [casesFile, verdictsFile] = ['cases.json', 'verdicts.json'].map((name) => join(home, name));
  writeFileSync(casesFile!, JSON.stringify(cases));
  await run(process.execPath, [join(folder, 'assess.mjs'), casesFile!, verdictsFile!], { env });
  return JSON.parse(readFileSync(verdictsFile!, 'utf8')) as readonly Verdict[];
}

async function assessHere({
  assert,
  threshold,
  output,
  latencyMs,
  cost,
  graded,
  vectors,
}: GeneratedCase): Promise<Verdict> {
  const document = { tests: 'acme/a', cases: [{ name: 'a', input: '', assert, threshold }] };
  const [parsed] = testsSchema.parse(document).cases;
  const answer = { output, latencyMs, costMicrodollars: cost === undefined ? null : Math.round(cost * 1e6) };
  const ended = {
    kind: 'done',
    output: graded,
    latencyMs: 0,
    costMicrodollars: 0,
    tokensInput: 0,
    tokensOutput: 0,
  } as const;
  try {
    return await assessAnswer(parsed!, answer, {
      validateJson,
      judge: async () => readJudgement(ended),
      similarity: async (one, other) =>
        cosineOf(Float32Array.from(vectors[one] ?? []), Float32Array.from(vectors[other] ?? [])) ?? 0,
    });
  } catch (thrown) {
    return { error: (thrown as Error).message };
  }
}

/** The differences of docs/promptfoo.md. */
function isListed(type: string, { output, cost, graded }: GeneratedCase): boolean {
  if (type.endsWith('contains-json')) return isLoose(output);
  if (type.endsWith('cost')) return cost === undefined;
  if (type.endsWith('regex')) return /[\uD800-\uDFFF]/.test(output);
  return type.endsWith('llm-rubric') && !graded.includes('"pass"');
}

function compare(cases: readonly GeneratedCase[], here: readonly Verdict[], there: readonly Verdict[]) {
  return cases.map((one, at) => ({ one, here: here[at], there: there[at] }));
}

const types = Object.keys(GENERATORS).flatMap((type) => [type, `not-${type}`]);
const generated = [...types, 'mixed'].map((type, seed) => {
  const random = seeded(seed + 1);
  const generate = () => (type === 'mixed' ? generateMixed(random) : generateCase(random, type));
  return { type, cases: Array.from({ length: OUTPUTS }, generate) };
});
let verdicts: readonly Verdict[] = [];

describe.runIf(isAsked)('the released promptfoo', () => {
  beforeAll(async () => {
    home = temporaryFolder();
    folder = await installPromptfoo();
    // One process for all of them: to load it takes seconds.
    verdicts = await assessThere(generated.flatMap(({ cases }) => cases));
  }, 600_000);

  it.each(generated)(`gives ${OUTPUTS} answers the same verdict by $type`, async ({ type, cases }) => {
    const first = generated.findIndex((one) => one.type === type) * OUTPUTS;
    const here = await Promise.all(cases.map(assessHere));
    const compared = compare(cases, here, verdicts.slice(first, first + OUTPUTS));
    const counted = compared.filter(({ one }) => !isListed(type, one));
    const differing = counted.filter(
      (each) => each.here?.pass === undefined || each.here.pass !== each.there?.pass,
    );
    expect(
      differing.map(({ one, ...each }) => ({ ...each, assert: one.assert, output: one.output })),
    ).toEqual([]);
    // Both verdicts occur, or the comparison says nothing.
    expect(new Set(counted.map((each) => each.there?.pass))).toEqual(new Set([true, false]));
    expect(counted.length).toBeGreaterThan(OUTPUTS * 0.6);
  });
});
