// The environment of a function: variables, context, limits. Expected values: Lambda Developer Guide, "Defined
// runtime environment variables" and "Using the Lambda context object".
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InvokeResult } from '../../functions/index.ts';
import { functionArn, lambdaFunction } from '../fixtures/http-template.ts';
import { runInTest } from '../fixtures/run-in-test.ts';
import { resource } from '../support/resources.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Report {
  received: unknown;
  context: Record<string, unknown>;
  environment: Record<string, string>;
  arguments: string[];
  folder: string;
  pid: number;
  loopback: boolean | null;
  atLoad: boolean | null;
}

function reportOf(result: InvokeResult): Report {
  if (result.outcome !== 'succeeded') throw new Error(JSON.stringify(result));
  return JSON.parse(result.payload.toString()) as Report;
}

describe('the environment of a function', () => {
  it('has what Lambda sets, what the template sets, what the run adds, and nothing of the machine but PATH', async () => {
    process.env['SECRET_OF_THE_MACHINE'] = 'x';
    const running = runInTest(
      [
        lambdaFunction('first', 'index.inspect', {
          Environment: { Variables: { TABLE: 'things', COUNT: 3 } },
          MemorySize: 320,
        }),
      ],
      { environment: { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' } },
    );
    const { environment, arguments: flags } = reportOf(
      await running.functions.invoke(functionArn('first'), {}),
    );
    delete process.env['SECRET_OF_THE_MACHINE'];
    const { AWS_LAMBDA_LOG_STREAM_NAME: stream, PATH: path, LAMBDA_TASK_ROOT: root, ...rest } = environment;
    expect(rest).toEqual({
      AWS_ACCESS_KEY_ID: 'local',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '320',
      AWS_LAMBDA_FUNCTION_NAME: 'first',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_FORMAT: 'Text',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/first',
      AWS_REGION: 'eu-west-1',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      COUNT: '3',
      LANG: 'en_US.UTF-8',
      TABLE: 'things',
      TZ: ':UTC',
      _HANDLER: 'index.inspect',
    });
    expect(stream).toMatch(/./);
    expect(path).toBe(process.env['PATH']);
    expect(root).toMatch(/fixtures\/http-functions$/);
    expect(flags).toEqual([
      '--expose-gc',
      '--max-http-header-size=81920',
      '--max-semi-space-size=16',
      '--max-old-space-size=288',
    ]);
  });

  it('gives the handler the event and a context', async () => {
    const running = runInTest([lambdaFunction('first', 'index.inspect', { Timeout: 7 })]);
    const result = await running.functions.invoke(functionArn('first'), { a: ['ü', 1, null] });
    const { received, context, folder } = reportOf(result);
    expect(received).toEqual({ a: ['ü', 1, null] });
    expect(context).toMatchObject({
      awsRequestId: result.requestId,
      callbackWaitsForEmptyEventLoop: true,
      functionName: 'first',
      functionVersion: '$LATEST',
      invokedFunctionArn: functionArn('first'),
      logGroupName: '/aws/lambda/first',
      memoryLimitInMB: '256',
    });
    expect(context['remaining']).toBeGreaterThan(5_000);
    expect(context['remaining']).toBeLessThanOrEqual(7_000);
    expect(folder).toMatch(/fixtures\/http-functions$/);
  });

  it('finds a function by alias and by version, and no other qualifier', async () => {
    const version = resource(
      'AWS::Lambda::Version',
      'version',
      { FunctionName: 'first' },
      { physicalId: `${functionArn('first')}:4` },
    );
    const alias = resource('AWS::Lambda::Alias', 'alias', {
      FunctionName: functionArn('first'),
      FunctionVersion: '4',
      Name: 'live',
    });
    const running = runInTest([lambdaFunction('first', 'index.inspect'), version, alias]);
    const { context, environment } = reportOf(
      await running.functions.invoke(`${functionArn('first')}:live`, {}),
    );
    expect(context).toMatchObject({
      invokedFunctionArn: `${functionArn('first')}:live`,
      functionVersion: '4',
    });
    expect(environment['AWS_LAMBDA_FUNCTION_VERSION']).toBe('4');
    expect(running.functions.has(`${functionArn('first')}:4`)).toBe(true);
    expect(running.functions.has(`${functionArn('first')}:other`)).toBe(false);
    expect(await running.functions.invoke(`${functionArn('second')}`, {})).toMatchObject({
      outcome: 'rejected',
      errorType: 'ResourceNotFoundException',
    });
  });

  it('has a read-only loopback symbol before the bundle loads, and only when the run asks for it', async () => {
    const running = runInTest([lambdaFunction('first', 'index.inspect')], {
      loopbackSymbol: 'test.loopback',
    });
    expect(reportOf(await running.functions.invoke(functionArn('first'), {}))).toMatchObject({
      loopback: true,
      atLoad: true,
    });
    const second = runInTest([
      lambdaFunction('first', 'index.inspect', { Environment: { Variables: { 'test.loopback': 'true' } } }),
    ]);
    const { loopback, atLoad } = reportOf(await second.functions.invoke(functionArn('first'), {}));
    expect({ loopback, atLoad }).toEqual({ loopback: null, atLoad: null });
  });

  it('trusts the certificates of the run', async () => {
    const folder = temporaryFolder();
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, '');
    const running = runInTest([lambdaFunction('first', 'index.inspect')], { ca });
    expect(
      reportOf(await running.functions.invoke(functionArn('first'), {})).environment['NODE_EXTRA_CA_CERTS'],
    ).toBe(ca);
  });
});

describe('the handler', () => {
  it.each([
    ['a CommonJS file', 'commonjs.handler', '"from CommonJS"'],
    ['a nested export', 'index.nested.deeper.handler', '"nested"'],
    ['an async function of three parameters', 'index.threeParameters', '"undefined"'],
  ])('is loaded from %s', async (_name, handler, expected) => {
    const running = runInTest([lambdaFunction('first', handler)]);
    const result = await running.functions.invoke(functionArn('first'), {});
    expect(result.outcome === 'succeeded' && result.payload.toString()).toBe(expected);
  });

  it.each([
    ['nothing of that name', 'index.missing', 'Runtime.HandlerNotFound'],
    ['no function', 'index.notAFunction', 'Runtime.HandlerNotFound'],
    ['a callback', 'index.withCallback', 'Runtime.CallbackHandlerDeprecated'],
    ['no such file', 'absent.handler', 'Runtime.ImportModuleError'],
    ['a path to somewhere else', '../http-broken/index.handler', 'Runtime.MalformedHandlerName'],
    ['no export in the name', 'index', 'Runtime.MalformedHandlerName'],
  ])('refuses %s', async (_name, handler, errorType) => {
    const running = runInTest([lambdaFunction('first', handler)]);
    expect(await running.functions.invoke(functionArn('first'), {})).toMatchObject({
      outcome: 'failed',
      error: { errorType },
    });
  });

  it('refuses a bundle that throws, misses a package or is not JavaScript, at every invocation', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'code'));
    writeFileSync(join(folder, 'code', 'index.mjs'), 'export const handler = async ( => {};');
    const broken = { metadata: { 'aws:asset:path': 'http-broken' } };
    const running = runInTest([
      { ...lambdaFunction('throws', 'index.handler'), ...broken },
      { ...lambdaFunction('misses', 'imports.handler'), ...broken },
      { ...lambdaFunction('syntax', 'index.handler'), metadata: { 'aws:asset:path': join(folder, 'code') } },
    ]);
    for (let round = 0; round < 2; round += 1) {
      expect(await running.functions.invoke(functionArn('throws'), {})).toMatchObject({
        outcome: 'failed',
        error: { errorType: 'TypeError', errorMessage: 'broken at load' },
      });
    }
    expect(await running.functions.invoke(functionArn('misses'), {})).toMatchObject({
      outcome: 'failed',
      error: { errorType: 'Runtime.ImportModuleError' },
    });
    expect(await running.functions.invoke(functionArn('syntax'), {})).toMatchObject({
      outcome: 'failed',
      error: { errorType: 'Runtime.UserCodeSyntaxError' },
    });
  });
});

describe('a function that is not supported', () => {
  it.each([
    ['another runtime', { Runtime: 'python3.13' }, 'Runtime python3.13'],
    ['an image', { PackageType: 'Image' }, 'images'],
    ['a reserved variable', { Environment: { Variables: { AWS_REGION: 'x' } } }, 'AWS_REGION'],
    ['no handler', { Handler: undefined }, 'Handler is missing'],
  ])('is refused at start: %s', (_name, properties, text) => {
    expect(() => runInTest([lambdaFunction('first', 'index.act', properties)])).toThrow(text);
  });
});
