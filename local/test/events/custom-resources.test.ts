// Tests of custom resources, against the CloudFormation User Guide, "Custom resources".
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyCustomResources, readCustomResults } from '../../events/custom-resources.ts';
import type { InvokeResult } from '../../functions/index.ts';
import type { ResolvedResource } from '../../template/types.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FUNCTION = 'arn:aws:lambda:eu-west-1:111122223333:function:fn';

interface Request {
  readonly RequestType: string;
  readonly ResponseURL: string;
  readonly ResourceProperties: { readonly Word?: string };
  readonly [member: string]: unknown;
}
type Answer = (request: Request) => Promise<unknown> | unknown;

const resource = (Word: string, type = 'Custom::Thing'): ResolvedResource => ({
  stack: 'Stack',
  logicalId: 'Thing',
  type,
  physicalId: '',
  arn: undefined,
  metadata: {},
  properties: { ServiceToken: FUNCTION, Word },
});

function prepare(answer: Answer, hasFunction = true) {
  const folder = temporaryFolder();
  const file = join(folder, 'custom.json');
  const requests: Request[] = [];
  const lines: string[] = [];
  const invoke = async (_arn: string, event: unknown): Promise<InvokeResult> => {
    requests.push(event as Request);
    const returned = await answer(event as Request);
    return { outcome: 'succeeded', payload: Buffer.from(JSON.stringify(returned ?? null)), requestId: 'r' };
  };
  const apply = (...resources: readonly ResolvedResource[]) =>
    applyCustomResources({
      stacks: [{ name: 'Stack', folder: '', outputs: {}, resources }],
      file,
      invoke,
      hasFunction: () => hasFunction,
      log: (line) => lines.push(line),
    });
  return { apply, requests, lines, file, types: () => requests.map(({ RequestType }) => RequestType) };
}

const returning = ({ ResourceProperties: { Word } }: Request) => ({
  PhysicalResourceId: 'id',
  Data: { Word: `${Word}!` },
});

describe('custom resources', () => {
  it('are created by their function, which puts its response to a URL', async () => {
    const { apply, requests } = prepare(async ({ ResponseURL }) => {
      const body = JSON.stringify({ Status: 'SUCCESS', PhysicalResourceId: 'id-1', Data: { Word: 'gold' } });
      await fetch(ResponseURL, { method: 'PUT', body });
    });
    const results = await apply(resource('a'));
    expect(results.get('Stack/Thing')).toMatchObject({ physicalId: 'id-1', data: { Word: 'gold' } });
    expect(requests).toEqual([
      {
        RequestType: 'Create',
        ServiceToken: FUNCTION,
        ResponseURL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/),
        StackId: 'arn:aws:cloudformation:eu-west-1:111122223333:stack/Stack/local',
        RequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        LogicalResourceId: 'Thing',
        ResourceType: 'Custom::Thing',
        ResourceProperties: { ServiceToken: FUNCTION, Word: 'a' },
      },
    ]);
  });

  it('are created once, updated when their properties change, and deleted when they leave the template', async () => {
    const { apply, requests, types, file } = prepare(returning);
    await apply(resource('a'));
    await apply(resource('a'));
    expect(types()).toEqual(['Create']);
    await apply(resource('b'));
    expect(requests.at(-1)).toMatchObject({
      RequestType: 'Update',
      PhysicalResourceId: 'id',
      OldResourceProperties: { Word: 'a' },
      ResourceProperties: { Word: 'b' },
    });
    expect(readCustomResults(file).get('Stack/Thing')?.data).toEqual({ Word: 'b!' });
    await apply();
    expect(requests.at(-1)).toMatchObject({ RequestType: 'Delete', PhysicalResourceId: 'id' });
    expect(readCustomResults(file).size).toBe(0);
  });

  it('are deleted under the old id when a change gives them another one', async () => {
    const { apply, requests, types } = prepare(({ ResourceProperties: { Word } }) => ({
      PhysicalResourceId: Word,
    }));
    await apply(resource('a'));
    await apply(resource('b'));
    expect(types()).toEqual(['Create', 'Update', 'Delete']);
    expect(requests.at(-1)).toMatchObject({ PhysicalResourceId: 'a' });
  });

  it('are forgotten when their function is removed as well', async () => {
    const { apply, lines, file } = prepare(returning, false);
    await apply(resource('a'));
    await apply();
    expect(lines.at(-1)).toBe('Stack/Thing is in no template any more, nor is its function: it is forgotten');
    expect(readCustomResults(file).size).toBe(0);
  });

  it('ignores those that the CDK adds for ignored resources', async () => {
    const { apply, requests } = prepare(returning);
    await apply(resource('a', 'Custom::LogRetention'));
    expect(requests).toEqual([]);
  });

  it.each([
    ['answers FAILED', async () => ({ Status: 'FAILED', Reason: 'no gold left' }), 'no gold left'],
    ['answers nothing', async () => undefined, 'neither put an answer to ResponseURL'],
  ])(
    'refuses to go on when the function %s, and asks again at the next start',
    async (_what, answer, message) => {
      const { apply, types } = prepare(answer);
      for (const _start of [1, 2]) {
        await expect(apply(resource('a'))).rejects.toThrow(
          expect.objectContaining({
            code: 'CUSTOM_RESOURCE_FAILED',
            message: expect.stringContaining(message),
          }),
        );
      }
      expect(types()).toEqual(['Create', 'Create']);
    },
  );
});
