// Measures the load time of a bundle, and that of a bundle with only the DynamoDB client.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Bundle } from './assembly.ts';
import { percentile, round } from './statistics.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

const RUNS = 21;

/** A new process that times the import of one file. */
const PROGRAM = `
globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: { from: (stream) => stream } };
const began = performance.now();
await import(process.argv[1]);
process.stdout.write(String(performance.now() - began));
process.exit(0);
`;

/** Milliseconds, the median of `RUNS` processes, and the ratio to the bare client, measured in turns. */
export async function measureImports(bundles: readonly Bundle[]): Promise<Record<string, number>> {
  return withTemporaryFolder(async (folder) => timeBeside(await bundleBareClient(folder), bundles));
}

function timeBeside(bare: string, bundles: readonly Bundle[]): Record<string, number> {
  const rows: Record<string, number> = {};
  for (const { name, file, environment } of bundles) {
    const own: number[] = [];
    const base: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      own.push(timeImport(file, environment));
      base.push(timeImport(bare, environment));
    }
    rows[`${name} ms`] = round(percentile(own, 0.5));
    rows[`${name} / bare DynamoDB client`] = round(percentile(own, 0.5) / percentile(base, 0.5));
  }
  return rows;
}

function timeImport(file: string, environment: Readonly<Record<string, string>>): number {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM, file], {
    env: { ...environment, PATH: process.env['PATH'], AWS_REGION: 'us-east-1' },
    encoding: 'utf8',
  });
  const milliseconds = Number(stdout);
  if (stdout === '' || Number.isNaN(milliseconds)) throw new Error(`the bundle did not load: ${stderr}`);
  return milliseconds;
}

async function bundleBareClient(folder: string): Promise<string> {
  const entry = join(folder, 'entry.mjs');
  const outfile = join(folder, 'index.mjs');
  writeFileSync(
    entry,
    "import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';\nconst client = new DynamoDBClient({});\nexport const handler = () => client.send(new GetItemCommand({ TableName: 't', Key: {} }));\n",
  );
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    nodePaths: [join(import.meta.dirname, '..', 'node_modules')],
    banner: {
      js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
    },
    logLevel: 'silent',
  });
  return outfile;
}
