// The CDK app as the CDK command runs it: `npx cdk synth -c stage=NAME -c transferMode=STREAM|BUFFERED`.
import { buildApp } from '../lib/app.ts';

buildApp().synth();
