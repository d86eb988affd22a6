// Measures the time from the start of a function's process to its first answer, on the CPU share of several memory sizes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as forward } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ResolvedStack } from 'run-template-locally';
import { type Bundle, loadBundles, ROOT } from './assembly.ts';
import { type CpuShare, limitCpu, shareOf } from './cpu-share.ts';
import { withStores } from './stores.ts';
import { coldStartTable } from './tables.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

const MEMORY_MB = [512, 1_024, 2_048];
const PROGRAM = fileURLToPath(new URL('./cold-start-process.mjs', import.meta.url));
const CERTIFICATE = join(ROOT, 'test/adapters/http/fixtures/localhost-certificate.pem');
const KEY = join(ROOT, 'test/adapters/http/fixtures/localhost-key.pem');
const CALL = {
  pathParameters: { organization: 'acme', neuron: 'hello' },
  multiValueHeaders: { 'content-type': ['application/json'], host: ['example.com'] },
  multiValueQueryStringParameters: null,
};

/** Reported by one process; times are milliseconds since it began. */
interface Start {
  readonly importedMs: number;
  readonly answeredMs: number;
  /** User and system time until the answer. */
  readonly cpuMs: number;
  readonly answer: unknown;
}

/** A start, with the connections that the store saw. */
interface SeenStart extends Start {
  /** TLS connections made to the store. */
  readonly handshakes: number;
}

/** All starts of a function at one size. */
export interface ColdStart {
  readonly name: Bundle['name'];
  readonly memoryMb: number;
  /** How the share of the CPU was enforced. */
  readonly by: CpuShare['by'];
  readonly made: readonly Omit<SeenStart, 'answer'>[];
}

/** Functions and sizes take turns, so that other work of the machine affects all of them. */
export async function measureColdStarts(
  stacks: readonly ResolvedStack[],
  bundles: readonly Bundle[],
  starts: number,
): Promise<ColdStart[]> {
  return withStores(stacks, bundles, ({ dynamodb, secretsManager }) =>
    withTemporaryFolder(async (folder) => {
      const tls = await startTls(dynamodb);
      try {
        const { port } = tls.address() as AddressInfo;
        let handshakes = 0;
        tls.on('secureConnection', () => {
          handshakes += 1;
        });
        const endpoints = { dynamodb: `https://localhost:${port}`, secretsManager };
        return await measure(bundles, { folder, starts, endpoints, handshakes: () => handshakes });
      } finally {
        tls.close();
      }
    }),
  );
}

interface Measurement {
  readonly folder: string;
  readonly starts: number;
  readonly endpoints: { readonly dynamodb: string; readonly secretsManager: string };
  /** The number so far. */
  readonly handshakes: () => number;
}

/** TLS in front of the store: a first handshake, which loads the root certificates, is a large part of a first call. */
async function startTls(endpoint: string): Promise<Server> {
  const { hostname, port } = new URL(endpoint);
  const files = { cert: readFileSync(CERTIFICATE), key: readFileSync(KEY) };
  const server = createServer(files, (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const sent = forward({ hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function measure(bundles: readonly Bundle[], measurement: Measurement): Promise<ColdStart[]> {
  const { folder, starts } = measurement;
  const [authorizer, execution] = ['authorizer', 'execution'].map((name) => {
    const bundle = bundles.find((one) => one.name === name);
    if (bundle === undefined) throw new Error(`the template has no ${name} function`);
    return { bundle, event: join(folder, `${name}.json`) };
  });
  if (authorizer === undefined || execution === undefined) throw new Error('two functions are measured');
  const methodArn = 'arn:aws:execute-api:us-east-1:000000000000:api/prod/POST/acme/hello';
  writeFileSync(authorizer.event, JSON.stringify({ ...CALL, methodArn, requestContext: makeContext() }));
  const whole = limitCpu(1);
  const policy = await startOnce(authorizer, whole, measurement).finally(() => whole.remove());
  const { context } = policy.answer as { readonly context: unknown };
  const requestContext = makeContext(context);
  const body = { body: '{"input":"Hello"}', isBase64Encoded: false };
  writeFileSync(execution.event, JSON.stringify({ ...CALL, ...body, requestContext }));
  const cases = MEMORY_MB.flatMap((memoryMb) =>
    [authorizer, execution].map((started) => ({
      started,
      memoryMb,
      made: [] as Omit<SeenStart, 'answer'>[],
    })),
  );
  let by: CpuShare['by'] = 'cgroup';
  for (let turn = 0; turn < starts; turn += 1) {
    for (const { started, memoryMb, made } of cases) {
      const share = limitCpu(shareOf(memoryMb));
      by = share.by;
      const { answer: _answer, ...start } = await startOnce(started, share, measurement).finally(() =>
        share.remove(),
      );
      made.push(start);
    }
  }
  return cases.map(({ started, memoryMb, made }) => ({ name: started.bundle.name, memoryMb, by, made }));
}

function makeContext(authorizer?: unknown) {
  return {
    extendedRequestId: 'bench-cold-start',
    requestId: 'bench-cold-start',
    requestTimeEpoch: Date.now(),
    identity: { sourceIp: '203.0.113.7' },
    authorizer,
  };
}

async function startOnce(
  { bundle, event }: { readonly bundle: Bundle; readonly event: string },
  share: CpuShare,
  { endpoints, handshakes }: Measurement,
): Promise<SeenStart> {
  const before = handshakes();
  // The function rejects a request that arrived half a minute ago.
  const { requestContext, ...others } = JSON.parse(readFileSync(event, 'utf8'));
  const arriving = { ...requestContext, requestTimeEpoch: Date.now() };
  writeFileSync(event, JSON.stringify({ ...others, requestContext: arriving }));
  const [program, args] = share.wrap(process.execPath, [PROGRAM, bundle.file, event]);
  const child = spawn(program, args, {
    env: {
      ...bundle.environment,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  share.watch(child);
  const exited = once(child, 'exit');
  const output = await text(child.stdout);
  await exited;
  // Log lines of the service come before the last line.
  const start = JSON.parse(output.slice(output.lastIndexOf('\n') + 1)) as Start;
  const { statusCode } = (start.answer ?? {}) as { readonly statusCode?: number };
  if (statusCode !== undefined && statusCode !== 200)
    throw new Error(`a first call was answered ${statusCode}`);
  return { ...start, handshakes: handshakes() - before };
}

if (import.meta.main) {
  const { stacks, bundles } = await loadBundles();
  const measured = await measureColdStarts(stacks, bundles, Number(process.argv[2] ?? 50));
  process.stdout.write(`${coldStartTable(measured)}\n`);
}
