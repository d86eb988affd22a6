// Synthesizes the app for the local run, in a process of its own. Arguments: stage, folder, and how it differs from the stage.
import { buildApp } from '../../lib/app.ts';
import { MIN_MEGABYTES } from '../../lib/config/compute.ts';
import type { StageSettings } from '../../lib/config/config.ts';
import { printStageErrors } from '../print-stage-errors.ts';

/** No VPC is looked for on one machine. */
const SHARED: Partial<StageSettings> = {
  compute: { shared: { subnetIds: ['subnet-00000000'], securityGroupIds: ['sg-00000000'] } },
  memoryMegabytes: MIN_MEGABYTES,
};

const [stage, outdir, ...differences] = process.argv.slice(2);
if (stage === undefined || outdir === undefined)
  throw new Error('usage: app.ts STAGE FOLDER [TRANSFER_MODE] [shared]');
const transferMode = (['STREAM', 'BUFFERED'] as const).find((mode) => differences.includes(mode));
const overrides: Partial<StageSettings> = {
  ...(transferMode === undefined ? {} : { transferMode }),
  ...(differences.includes('shared') ? SHARED : {}),
};
// The checks take seconds, change no template (compared by a test), and run with every `cdk synth`.
printStageErrors(() => buildApp({ stage, outdir, overrides, checks: false }).synth());
