// `npm run emulator [-- --short]`: deploys the service with the real CDK command to an emulator of AWS that others wrote.
import { prepareAssembly } from './deployment.ts';
import { installEmulator } from './install.ts';
import { deployFirst, destroy, operateAndCall } from './life-cycle.ts';
import { type World, withWorld } from './world.ts';

async function main(): Promise<number> {
  // No account of whoever runs this is ever used.
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  const installed = await installEmulator();
  if (installed === undefined) return 0;
  return withWorld(installed, async (world) => {
    await runShort(world);
    const failed = world.rows.filter(({ result }) => result === 'failed').length;
    process.stdout.write(`emulator: ${world.rows.length} steps, ${failed} failed\n`);
    return failed === 0 ? 0 : 1;
  });
}

async function runShort(world: World): Promise<void> {
  const assembly = await prepareAssembly('dev', world.folder);
  await deployFirst(world, assembly);
  await operateAndCall(world, assembly);
  await destroy(world, assembly);
}

if (import.meta.main) process.exitCode = await main();
