// The short form: bootstrap, deployment, the checks of the smoke run and removal.
import { ORGANIZATION, SETTINGS } from '../smoke/settings.ts';
import type { Assembly } from './deployment.ts';
import { ACCOUNT, REGION } from './emulator.ts';
import { smokeChecks } from './smoke.ts';
import { outcomeOf, type World, writeText } from './world.ts';

export const DEPLOY = ['--all', '--require-approval', 'never'];

export async function bootstrap({ cdk, run }: World): Promise<void> {
  await run([
    {
      name: 'cdk bootstrap',
      expected: 'done',
      async observe() {
        // The default, which the emulator resolves to a policy without a name.
        const policies = [
          '--cloudformation-execution-policies',
          'arn:aws:iam::aws:policy/AdministratorAccess',
        ];
        return outcomeOf(await cdk('bootstrap', ...policies, `aws://${ACCOUNT}/${REGION}`));
      },
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

/** Every command and call that the smoke run makes, after what it takes for granted. */
export async function operateAndCall(world: World, assembly: Assembly): Promise<void> {
  const { neuron, run } = world;
  const settings = writeText(world, 'settings.yaml', SETTINGS);
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
      observe: () => printed('call', `${ORGANIZATION}/open`, '--input', 'Hello'),
    },
  ]);
  await run(await smokeChecks(world, assembly));
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
