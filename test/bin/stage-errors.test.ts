// What `cdk synth` prints for settings that it cannot deploy: the message, and no stack of Node.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const APP = `${import.meta.dirname}/../../bin/app.ts`;

function synthesize(context: object) {
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context) };
  return spawnSync(process.execPath, [APP], { encoding: 'utf8', env, timeout: 60_000 });
}

describe('the CDK app', () => {
  it.each([
    [{ stage: 'production' }, 'There is no stage "production". Choose one of dev, local, prod.\n'],
    [{ stgae: 'prod' }, 'There is no context "stgae"; did you mean stage? Pass -c stage=VALUE.\n'],
    [
      { stage: 'dev', transferMode: 'STREEM' },
      /^The stage settings are invalid:\n {2}transferMode: must be [^\n]+\n$/,
    ],
  ])('prints one message for %j and exits with 1', (context, message) => {
    const { status, stderr, stdout } = synthesize(context);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    if (typeof message === 'string') expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
  });
});
