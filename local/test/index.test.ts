// Tests of the local run as a whole, on a template written by hand that has nothing to do with the product.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { get, notes, post, prepare, processesOf, setSecret, start } from './notes-run.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

describe('a foreign template', () => {
  it('runs: API, authorizer, gateway response, table, index, secret, stream, outputs', async () => {
    const { root, data } = prepare();
    const { local } = await start(root, data);
    await setSecret(local, 'green tea');
    const refused = await fetch(`${local.url}/tea`);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toEqual({ refused: true });
    expect((await fetch(`${local.url}/tea`, { headers: { authorization: 'Bearer other' } })).status).toBe(
      403,
    );
    expect((await post(local, 'tea', 'green')).status).toBe(201);
    expect(await get(local, 'tea')).toEqual({
      status: 200,
      body: { notes: ['green'], secret: 'green tea', greeting: 'Hello', colour: 'gold' },
    });
    await expect
      .poll(() => notes(local, 'audit'), { timeout: 15_000 })
      .toEqual([expect.stringContaining('"eventName":"INSERT"')]);
    expect(local.outputs()).toEqual({ Notes: { Url: `${local.url}/`, Table: 'Notes-NotesTable' } });
  });

  it('keeps what Node compiled of its functions where it is told to, beyond a run that keeps nothing', async () => {
    const { root, data } = prepare();
    const compileCacheFolder = temporaryFolder();
    const { local } = await start(root, data, { ephemeral: true, compileCacheFolder });
    await setSecret(local, 'green tea');
    expect((await get(local, 'tea')).status).toBe(200);
    await local.stop();
    expect(existsSync(local.dataFolder)).toBe(false);
    expect(readdirSync(compileCacheFolder, { recursive: true }).length).toBeGreaterThan(1);
  });

  it('takes parameters, on which conditions and mappings depend', async () => {
    const { root, data } = prepare();
    const { local, lines } = await start(root, data, { parameters: { Tone: 'formal' }, verbose: true });
    expect((await get(local, 'tea')).body).toMatchObject({ greeting: 'Good day' });
    expect(local.outputs()['Notes']).toMatchObject({ Formal: 'yes' });
    expect(lines).toContainEqual(expect.stringMatching(/^Notes\/FormalAlarm .* is ignored: /));
  });

  it('loses locally whatever is deleted from its JSON', async () => {
    const { root, data, edit } = prepare();
    const { local } = await start(root, data);
    await post(local, 'tea', 'green');
    edit(({ Resources }) => {
      const table = Resources['NotesTable']?.Properties ?? {};
      delete table['GlobalSecondaryIndexes'];
      table['AttributeDefinitions'] = [{ AttributeName: 'id', AttributeType: 'S' }];
      delete Resources['Refused'];
    });
    await local.reload();
    expect((await get(local, 'tea')).status).toBe(502);
    expect(await (await fetch(`${local.url}/tea`)).json()).toEqual({ message: 'Unauthorized' });
    edit(({ Resources }) => {
      delete Resources['PostTopic'];
      delete Resources['Api']?.Properties['Environment'];
    });
    await local.reload();
    expect((await post(local, 'tea', 'black')).status).toBe(403);
    expect((await get(local, 'tea')).status).toBe(502);
  });

  it('keeps tables, secrets and port over a reload', async () => {
    const { root, data, edit } = prepare();
    const { local } = await start(root, data);
    await post(local, 'tea', 'green');
    await setSecret(local, 'green tea');
    edit(({ Resources }) => {
      (Resources['Api']?.Properties ?? {})['Environment'] = {
        Variables: { NOTES_TABLE: { Ref: 'NotesTable' }, SECRET_ID: 'notes/password', COLOUR: 'silver' },
      };
    });
    await local.reload();
    expect(await get(local, 'tea')).toEqual({
      status: 200,
      body: { notes: ['green'], secret: 'green tea', colour: 'silver' },
    });
  });

  it('keeps running the old template when the new one is not supported', async () => {
    const { root, data, edit } = prepare();
    const { local } = await start(root, data);
    await post(local, 'tea', 'green');
    edit(({ Resources }) => {
      Resources['Queue'] = { Type: 'AWS::SQS::Queue', Properties: {} };
    });
    await expect(local.reload()).rejects.toThrow('Notes/Queue (AWS::SQS::Queue): the type is not supported');
    expect(await notes(local, 'tea')).toEqual(['green']);
    edit(({ Resources }) => {
      delete Resources['Queue'];
      (Resources['GetTopic']?.Properties ?? {})['AuthorizationType'] = 'AWS_IAM';
    });
    await expect(local.reload()).rejects.toThrow('AWS_IAM');
    expect(await notes(local, 'tea')).toEqual(['green']);
  });

  it('runs on dynalite, with a notice of what is missing', async () => {
    const { root, data } = prepare();
    const { local, lines } = await start(root, data, { engine: 'dynalite' });
    await post(local, 'tea', 'green');
    expect(await notes(local, 'tea')).toEqual(['green']);
    expect(lines).toContainEqual(expect.stringContaining('no stream, the engine has none'));
  });
});

describe('the program of the README', () => {
  it('runs a template, and ends with SIGTERM', async () => {
    const { root } = prepare();
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const program = (/^```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? '')
      .replace('run-template-locally', new URL('../index.ts', import.meta.url).href)
      .replace("'cdk.out'", "'.'")
      .replace('port: 3000', 'port: 0');
    writeFileSync(join(root, 'run.ts'), program);
    const child = spawn(process.execPath, ['run.ts'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    expect((await fetch(`${/^http:\S+/.exec(String(line))?.[0]}/tea`)).status).toBe(401);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('starting', () => {
  it.each([
    ['a type', 'Queue', { Type: 'AWS::SQS::Queue', Properties: {} }, '(AWS::SQS::Queue): the type'],
    [
      'a property',
      'NotesTable',
      { Type: 'AWS::DynamoDB::Table', Properties: { ImportSourceSpecification: {} } },
      'the property ImportSourceSpecification',
    ],
  ])('refuses %s that is on no list, and leaves nothing behind', async (_what, id, resource, message) => {
    const { root, data, edit } = prepare();
    edit(({ Resources }) => {
      Resources[id] = resource;
    });
    await expect(start(root, data)).rejects.toThrow(
      expect.objectContaining({ code: 'TEMPLATE_NOT_SUPPORTED', message: expect.stringContaining(message) }),
    );
    expect(existsSync(join(data, 'lock.json'))).toBe(false);
  });

  it('refuses a DynamoDB on another machine, and says what to do', async () => {
    const { root, data } = prepare();
    const dynamodbEndpoint = 'http://database.example:8000';
    await expect(start(root, data, { dynamodbEndpoint })).rejects.toThrow(
      expect.objectContaining({ code: 'ENGINE_FAILED', message: expect.stringContaining('Forward a port') }),
    );
  });

  it('refuses a port that is taken, and leaves no process behind', async () => {
    const { root, data } = prepare();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await expect(start(root, data, { port })).rejects.toThrow(
      expect.objectContaining({
        code: 'PORT_TAKEN',
        message: expect.stringContaining(`Port ${port} is in use`),
      }),
    );
    expect(processesOf(data)).toEqual([]);
    await start(root, data);
  });

  it('refuses a data folder that another run uses', async () => {
    const { root, data } = prepare();
    const { local } = await start(root, data);
    await expect(start(root, data)).rejects.toThrow(expect.objectContaining({ code: 'DATA_FOLDER_IN_USE' }));
    expect((await get(local, 'tea')).status).toBe(200);
  });

  it('tells other programs where it is, until it stops', async () => {
    const { root, data } = prepare();
    const { local } = await start(root, data);
    const outputs = join(data, 'outputs.json');
    expect(JSON.parse(readFileSync(outputs, 'utf8'))).toEqual({
      format: 1,
      pid: process.pid,
      region: 'us-east-1',
      stacks: { Notes: { Url: `${local.url}/`, Table: 'Notes-NotesTable' } },
      endpoints: local.endpoints,
      logFolder: join(data, 'logs'),
    });
    await local.stop();
    expect(existsSync(outputs)).toBe(false);
  });

  it('tells the functions of a proxy in front of the stores when a test asks for one', async () => {
    const { root, data } = prepare();
    const proxy = createServer((_request, response) => response.writeHead(500).end());
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const dynamodb = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { local } = await start(root, data, { functionEndpoints: { dynamodb } });
    expect(local.endpoints.dynamodb).not.toBe(dynamodb);
    expect((await get(local, 'tea')).status).toBe(502);
  });
});
