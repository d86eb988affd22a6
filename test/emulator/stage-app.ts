// Synthesizes a stage with settings of its own, as an edit of `lib/stages/` would: `node stage-app.ts FOLDER STAGE SETTINGS-AS-JSON`.
import { buildApp } from '../../lib/app.ts';

const [outdir = 'cdk.out', stage = 'dev', overrides = '{}'] = process.argv.slice(2);
buildApp({ outdir, stage, overrides: JSON.parse(overrides) }).synth();
