// The short form: bootstrap, deployment, calls, the operator's commands and removal.
import { callUrl } from '../e2e/support/call.ts';
import { CALLED, CALLED_SETTINGS, callChecks, summarize } from './calls.ts';
import type { Assembly } from './deployment.ts';
import { ACCOUNT, REGION } from './emulator.ts';
import type { Check } from './row.ts';
import { findOrigin, outcomeOf, type World, writeText } from './world.ts';

export const DEPLOY = ['--all', '--require-approval', 'never'];

export async function bootstrap({ cdk, run }: World): Promise<void> {
  await run([
    {
      name: 'cdk bootstrap',
      expected: 'done',
      observe: async () => outcomeOf(await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`)),
    },
  ]);
}

export async function deploy({ cdk, run }: World, assembly: Assembly): Promise<void> {
  await run([
    {
      name: `cdk deploy of ${assembly.stage}`,
      expected: 'done',
      observe: async () => outcomeOf(await cdk('deploy', '--app', assembly.folder, ...DEPLOY)),
    },
  ]);
}

export async function operateAndCall(world: World, { stage }: Assembly): Promise<void> {
  const { neuron, run } = world;
  const settings = writeText(world, 'settings.yaml', CALLED_SETTINGS);
  const printed = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await neuron(words);
    return `exit code ${exitCode}\n${stdout}${stderr}`;
  };
  await run([
    {
      name: 'neuron doctor: finds the stack, its tables and its API',
      expected: /^exit code 0\n(?:ok .*\n)+$/,
      observe: () => printed('doctor'),
    },
    { name: 'neuron apply', expected: /^exit code 0\n/, observe: () => printed('apply', settings) },
    {
      name: 'neuron call, under the address of the stack',
      expected: /^exit code 0\nYou said: Hello\n/,
      observe: () => printed('call', `${CALLED}/open`, '--input', 'Hello'),
    },
  ]);
  const origin = await findOrigin(world, stage);
  await run(callChecks(origin));
  await run(keyChecks(world, origin));
  await run([
    {
      name: 'neuron logs: has an entry for each call',
      expected: /^exit code 0\n[\s\S]*200[\s\S]*$/,
      observe: () => printed('logs', CALLED, '--since', '1h'),
    },
  ]);
}

function keyChecks({ neuron }: World, origin: string): readonly Check[] {
  return [
    {
      name: 'call with an API key that neuron keys create made',
      expected: /^200,/,
      async observe() {
        const { stdout } = await neuron(['keys', 'create', CALLED, '--name', 'emulator', '--json']);
        const { key } = JSON.parse(stdout) as { readonly key: string };
        const headers = { authorization: `Bearer ${key}` };
        return summarize(await callUrl(origin, `/${CALLED}/private`, { json: { input: 'Hello' }, headers }));
      },
    },
  ];
}

export async function destroy({ cdk, run }: World, assembly: Assembly): Promise<void> {
  await run([
    {
      name: `cdk destroy of ${assembly.stage}`,
      expected: 'done',
      observe: async () => outcomeOf(await cdk('destroy', '--app', assembly.folder, '--all', '--force')),
    },
  ]);
}
