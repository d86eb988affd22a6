// Secrets Manager as its API reference describes it, for the calls that the product makes, over HTTP (AWS JSON 1.1). It lets a
// test step in before or after each call.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { createSecretsClient, type SecretsClientLimits } from '../../../adapters/secrets/read-secret.ts';
import { listen } from '../http/raw-server.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a test may do to a call: `drop` carries it out and loses the answer, `stall` never answers. */
export type Interference = 'drop' | 'stall' | { readonly error: string } | undefined;

interface Version {
  readonly text: string;
  readonly stages: Set<string>;
}

class ApiError extends Error {
  readonly type: string;

  constructor(type: string) {
    super('as the API reference says');
    this.type = type;
  }
}

/** Starts one on loopback; ends with the test. */
export async function startSecretsManager() {
  const secrets = new Map<string, Map<string, Version>>();
  const calls: { readonly operation: string; readonly input: Input }[] = [];
  let interfere = async (_operation: string, _input: Input): Promise<Interference> => undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = String(request.headers['x-amz-target']).replace('secretsmanager.', '');
    const input = JSON.parse(await readText(request)) as Input;
    calls.push({ operation, input });
    const interference = await interfere(operation, input);
    if (interference === 'stall') return;
    const { status, body } =
      typeof interference === 'object'
        ? { status: 500, body: { __type: interference.error } }
        : carryOut(secrets, operation, input);
    if (interference === 'drop') {
      response.socket?.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  }

  const server = createServer((request, response) => void answer(request, response));
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    calls,
    secrets,
    interfere: (by: typeof interfere) => {
      interfere = by;
    },
    connect: (limits?: SecretsClientLimits) =>
      createSecretsClient(
        {
          region: 'us-east-1',
          endpoint: `http://127.0.0.1:${port}`,
          credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
        },
        limits,
      ),
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function carryOut(secrets: Map<string, Map<string, Version>>, operation: string, input: Input) {
  try {
    return { status: 200, body: run(secrets, operation, input) };
  } catch (thrown) {
    if (thrown instanceof ApiError)
      return { status: 400, body: { __type: thrown.type, message: thrown.message } };
    throw thrown;
  }
}

function run(secrets: Map<string, Map<string, Version>>, operation: string, input: Input): object {
  const name = String(input['SecretId'] ?? input['Name']);
  const versions = secrets.get(name);
  const id = String(input['ClientRequestToken']);
  const text = String(input['SecretString']);
  if (operation === 'CreateSecret') {
    if (versions?.get(id)?.text === text) return { Name: name, VersionId: id };
    if (versions !== undefined) throw new ApiError('ResourceExistsException');
    secrets.set(name, new Map([[id, { text, stages: new Set(['AWSCURRENT']) }]]));
    return { Name: name, VersionId: id };
  }
  if (versions === undefined) throw new ApiError('ResourceNotFoundException');
  switch (operation) {
    case 'GetSecretValue': {
      const [current] = [...versions].filter(([, { stages }]) => stages.has('AWSCURRENT'));
      if (current === undefined) throw new ApiError('ResourceNotFoundException');
      return { Name: name, SecretString: current[1].text, VersionId: current[0] };
    }
    case 'PutSecretValue': {
      const stages = new Set((input['VersionStages'] as string[] | undefined) ?? ['AWSCURRENT']);
      for (const version of versions.values()) for (const stage of stages) version.stages.delete(stage);
      versions.set(id, { text, stages });
      return { Name: name, VersionId: id };
    }
    case 'UpdateSecretVersionStage':
      return moveStage(versions, input);
    case 'DeleteSecret':
      secrets.delete(name);
      return { Name: name };
    default:
      throw new ApiError('UnknownOperationException');
  }
}

function moveStage(versions: Map<string, Version>, input: Input): object {
  const stage = String(input['VersionStage']);
  const from = input['RemoveFromVersionId'];
  const to = input['MoveToVersionId'];
  const holder = [...versions].find(([, { stages }]) => stages.has(stage))?.[0];
  if (holder !== from) throw new ApiError('InvalidParameterException');
  const source = versions.get(String(from));
  const target = to === undefined ? undefined : versions.get(String(to));
  if (to !== undefined && target === undefined) throw new ApiError('ResourceNotFoundException');
  source?.stages.delete(stage);
  target?.stages.add(stage);
  if (stage === 'AWSCURRENT') {
    for (const version of versions.values()) version.stages.delete('AWSPREVIOUS');
    source?.stages.add('AWSPREVIOUS');
  }
  return {};
}
