// The CDK app as the CDK command runs it: `npx cdk synth -c stage=NAME -c transferMode=STREAM|BUFFERED`.
import { buildApp } from '../lib/app.ts';
import { printStageErrors } from './print-stage-errors.ts';

printStageErrors(() => buildApp().synth());
