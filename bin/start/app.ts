// Synthesizes the app for the local run, in a process of its own. Arguments: stage, folder, and a transfer mode or nothing.
import { buildApp } from '../../lib/app.ts';
import type { StageSettings } from '../../lib/config/config.ts';
import { printStageErrors } from '../print-stage-errors.ts';

const [stage, outdir, transferMode] = process.argv.slice(2);
if (stage === undefined || outdir === undefined)
  throw new Error('usage: app.ts STAGE FOLDER [TRANSFER_MODE]');
const overrides: Partial<StageSettings> =
  transferMode === 'STREAM' || transferMode === 'BUFFERED' ? { transferMode } : {};
// The checks take seconds, change no template (compared by a test), and run with every `cdk synth`.
printStageErrors(() => buildApp({ stage, outdir, overrides, checks: false }).synth());
