// What runs is the template: what is taken out of its JSON by hand is gone, and what nobody knows is an error.
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  copyAssembly,
  deleteResource,
  editTemplate,
  findResource,
  type Template,
  type TemplateResource,
} from './support/assembly.ts';
import { lacks } from './support/engine-gaps.ts';
import { expectError, expectRaw } from './support/expect-answer.ts';
import { applySettings, scenarioSettings } from './support/settings.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';
import { openTables, outputOf } from './support/tables.ts';

const NOWHERE = 'http://127.0.0.1:9/v1';

let stack: Stack | undefined;
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

async function start(assembly: string, dataFolder?: string): Promise<Stack> {
  stack = await startStack({ assembly, ...(dataFolder === undefined ? {} : { dataFolder }) });
  await applySettings(stack, scenarioSettings({ openaiUrl: NOWHERE, deadUrl: NOWHERE }));
  return stack;
}

const call = (running: Stack, path: string) => running.call(path, { json: { input: 'Hello' } });

async function indexesOf(running: Stack): Promise<string[]> {
  const client = openTables(running.dataFolder);
  const name = outputOf(running.dataFolder, 'LogsTable');
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  client.destroy();
  return (Table?.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => String(IndexName)).toSorted();
}

const isLogsTable = ({ Properties }: TemplateResource) => JSON.stringify(Properties).includes('byExecution1');

function removeIndex(template: Template): void {
  const table = template.Resources[findResource(template, 'AWS::DynamoDB::GlobalTable', isLogsTable)];
  const indexes = table?.Properties?.['GlobalSecondaryIndexes'] as { IndexName: string }[];
  indexes.splice(
    indexes.findIndex(({ IndexName }) => IndexName === 'byUsername1'),
    1,
  );
  const attributes = table?.Properties?.['AttributeDefinitions'] as { AttributeName: string }[];
  attributes.splice(
    attributes.findIndex(({ AttributeName }) => AttributeName === 'usernameHour'),
    1,
  );
}

/** The method of the route with a revision. */
function revisionRoute(template: Template): string {
  const isRevision = ({ Properties }: TemplateResource) => Properties?.['PathPart'] === '{revision}';
  const resource = findResource(template, 'AWS::ApiGateway::Resource', isRevision);
  return findResource(
    template,
    'AWS::ApiGateway::Method',
    ({ Properties }) =>
      Properties?.['HttpMethod'] === 'POST' &&
      JSON.stringify(Properties['ResourceId']).includes(`"${resource}"`),
  );
}

/** The variables of the function that has a table for counters: the one that runs flows. */
function variablesOfExecution(template: Template): Record<string, unknown> {
  const variables = ({ Properties }: TemplateResource) =>
    (Properties?.['Environment'] as { Variables?: Record<string, unknown> } | undefined)?.Variables ?? {};
  const id = findResource(
    template,
    'AWS::Lambda::Function',
    (resource) => 'CACHE_TABLE' in variables(resource),
  );
  return variables(template.Resources[id] as TemplateResource);
}

describe.runIf(isLocal)('what is taken out of the template', () => {
  it('a route, a gateway response and an index are gone, and all else is there', async () => {
    const assembly = await copyAssembly();
    const whole = await start(assembly);
    expectError(await call(whole, '/acme/hello/v1'), 404, 'revision_not_found');
    expectError(await call(whole, '/acme/locked'), 401, 'unauthorized');
    await whole.stop();

    editTemplate(assembly, 'NeuronApi', (template) => {
      deleteResource(template, revisionRoute(template));
      const is401 = ({ Properties }: TemplateResource) => Properties?.['ResponseType'] === 'UNAUTHORIZED';
      deleteResource(template, findResource(template, 'AWS::ApiGateway::GatewayResponse', is401));
    });
    editTemplate(assembly, 'NeuronData', removeIndex);

    const changed = await start(assembly);
    expectError(await call(changed, '/acme/hello/v1'), 404, 'route_not_found');
    // What has no gateway response of its own gets that of DEFAULT_4XX.
    expectError(await call(changed, '/acme/locked'), 400, 'malformed_body');
    expect(await indexesOf(changed)).toEqual(['byExecution1', 'byFailure1', 'byOrganization1']);
    expectRaw(await call(changed, '/acme/hello?rawOutput=1'), 'You said: Hello');
  });

  it.skipIf(lacks('index updates'))(
    'an index is gone from a table that exists, and its items stay',
    async () => {
      const dataFolder = temporaryFolder();
      const assembly = await copyAssembly();
      const whole = await start(assembly, dataFolder);
      expect(await indexesOf(whole)).toEqual([
        'byExecution1',
        'byFailure1',
        'byOrganization1',
        'byUsername1',
      ]);
      const id = expectRaw(await call(whole, '/acme/hello?rawOutput=1'), 'You said: Hello');
      await expect.poll(() => whole.operate(['logs', 'acme', '--json'])).toContain(id);
      await whole.stop();

      editTemplate(assembly, 'NeuronData', removeIndex);
      const changed = await start(assembly, dataFolder);
      expect(await indexesOf(changed)).toEqual(['byExecution1', 'byFailure1', 'byOrganization1']);
      expect(await changed.operate(['logs', 'acme', '--json'])).toContain(id);
      await changed.stop();
    },
  );

  it('an environment variable is gone: the function that needs it cannot start, and callers learn nothing of it', async () => {
    const assembly = await copyAssembly();
    editTemplate(assembly, 'NeuronApi', (template) => {
      delete variablesOfExecution(template)['LOGS_TABLE'];
    });
    const running = await start(assembly);
    const answer = await call(running, '/acme/hello');
    expectError(answer, 500, 'internal');
    expect(answer.text).not.toContain('LOGS_TABLE');
    expectError(await call(running, '/acme/locked'), 401, 'unauthorized');
    expect(running.output()).toContain('LOGS_TABLE');
  });
});

describe.runIf(isLocal)('what the local run does not know is an error at its start:', () => {
  async function rejectionOf(edit: (template: Template) => void): Promise<string> {
    const assembly = await copyAssembly();
    editTemplate(assembly, 'NeuronApi', edit);
    return startStack({ assembly }).then(
      async (running) => {
        await running.stop();
        return 'it started';
      },
      (error: Error) => error.message,
    );
  }

  it('a resource of an unknown type', async () => {
    const message = await rejectionOf(({ Resources }) => {
      Resources['Surprise'] = { Type: 'AWS::Made::Up', Properties: {} };
    });
    expect(message).toContain('Surprise');
    expect(message).toContain('AWS::Made::Up');
  });

  it('an unknown property of a resource that it runs', async () => {
    const message = await rejectionOf((template) => {
      const id = findResource(template, 'AWS::ApiGateway::RestApi');
      Object.assign(template.Resources[id]?.Properties ?? {}, { MadeUpProperty: true });
    });
    expect(message).toContain('MadeUpProperty');
  });

  it('an unknown property deep inside of one', async () => {
    const message = await rejectionOf((template) => {
      const [method] = Object.values(template.Resources).filter(
        ({ Type }) => Type === 'AWS::ApiGateway::Method',
      );
      Object.assign(method?.Properties?.['Integration'] ?? {}, { MadeUpIntegrationProperty: 'x' });
    });
    expect(message).toContain('MadeUpIntegrationProperty');
  });
});
