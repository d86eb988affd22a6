// Every optional stage setting synthesizes in a region: alone, and beside every other one. Without a region upgrade.test.ts does the same.
import { describe, expect, it } from 'vitest';
import { STAGES } from '../../../lib/app.ts';
import { parseStage } from '../../../lib/config/config.ts';
import { dev } from '../../../lib/stages/dev.ts';
import { coverPairs, OPTIONS, REGION, settingsOf } from '../optional-settings.ts';
import { synthesize } from '../synthesized.ts';

const NAMES = Object.keys(OPTIONS);

describe('in a region', () => {
  it.each(NAMES)('the optional setting %s synthesizes alone', (name) => {
    expect(synthesize('dev', settingsOf([name], REGION)).data.Resources).toHaveProperty('ConfigTable');
  });

  it.each(coverPairs())('synthesize together: %s, %s, …', (...names) => {
    expect(synthesize('dev', settingsOf(names, REGION)).data.Resources).toHaveProperty('ConfigTable');
  });
});

describe('the options of this test', () => {
  it('set every setting that a stage may leave out, or that the stages set differently', () => {
    const tried = new Set(Object.values(OPTIONS).flatMap((settings) => Object.keys(settings)));
    const stage = parseStage(dev);
    const optional = Object.keys(settingsOf(NAMES, REGION)).filter((name) => !(name in dev));
    const flags = Object.keys(dev).filter((name) => typeof stage[name as keyof typeof stage] === 'boolean');
    expect(flags.filter((name) => !tried.has(name))).toEqual([]);
    const used = Object.values(STAGES).flatMap((settings) => Object.keys(settings));
    expect(used.filter((name) => !(name in dev) && !optional.includes(name))).toEqual([]);
  });
});
