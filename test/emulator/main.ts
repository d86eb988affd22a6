// `npm run emulator`: deploys the service with the real CDK command to an emulator of AWS that others wrote, calls it, changes it and removes it.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runArchive } from './archive.ts';
import { runBoundary } from './boundary.ts';
import { changeAndRemove } from './changes.ts';
import { prepareAssembly } from './deployment.ts';
import { installEmulator, MINISTACK_VERSION } from './install.ts';
import { bootstrap, deploy, destroy, operateAndCall } from './life-cycle.ts';
import { runProduction } from './production.ts';
import { runRestore } from './restore.ts';
import { runRights } from './rights.ts';
import { assumeRoles, deployWithPolicies, removeRoles, roleChecks } from './roles.ts';
import { runUpgrade } from './upgrade.ts';
import { type World, withWorld } from './world.ts';

/** Parts by name; each begins and ends without stacks of this service. */
const PARTS: Readonly<Record<string, (world: World) => Promise<void>>> = {
  async stage(world) {
    const assembly = await prepareAssembly('dev', world.folder);
    await deploy(world, assembly);
    await operateAndCall(world, assembly);
    await changeAndRemove(world, assembly);
  },
  async roles(world) {
    const assembly = await deployWithPolicies(world);
    await world.run(roleChecks(world, await assumeRoles(world)));
    await removeRoles(world);
    await destroy(world, assembly);
  },
  rights: runRights,
  upgrade: runUpgrade,
  boundary: runBoundary,
  restore: runRestore,
  archive: runArchive,
  production: runProduction,
};

async function runShort(world: World): Promise<void> {
  const assembly = await prepareAssembly('dev', world.folder);
  await deploy(world, assembly);
  await operateAndCall(world, assembly);
  await destroy(world, assembly);
}

/** `--short` for one deployment with calls; names of parts for some of them; `--report FILE` for every step as JSON. */
async function main(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { short: { type: 'boolean' }, report: { type: 'string' } },
  });
  // No account of whoever runs this is ever used.
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  const installed = await installEmulator();
  if (installed === undefined) return 0;
  return withWorld(installed, async (world) => {
    await bootstrap(world);
    const named = positionals.length === 0 ? Object.keys(PARTS) : positionals;
    for (const part of values.short ? [runShort] : named.map((name) => PARTS[name]!)) await part(world);
    const { rows } = world;
    const failed = rows.filter(({ result }) => result === 'failed').length;
    process.stdout.write(`emulator: ${rows.length} steps, ${failed} failed\n`);
    if (values.report !== undefined)
      writeFileSync(
        values.report,
        JSON.stringify({ emulator: `ministack ${MINISTACK_VERSION}`, steps: rows }),
      );
    return failed === 0 ? 0 : 1;
  });
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
