// Every optional stage setting synthesizes: alone, and beside every other one, with and without a region.
import { describe, expect, it } from 'vitest';
import { STAGES } from '../../../lib/app.ts';
import { parseStage } from '../../../lib/config/config.ts';
import { dev } from '../../../lib/stages/dev.ts';
import { OPTIONS, REGION, settingsOf } from '../optional-settings.ts';
import { synthesize } from '../synthesized.ts';

const NAMES = Object.keys(OPTIONS);
const REGIONS = [undefined, REGION] as const;

/** Settings of the same name with different values. */
function exclude(one: string, other: string): boolean {
  return Object.keys(OPTIONS[one]!).some(
    (name) => name in OPTIONS[other]! && one !== other && !(one === 'protected' || other === 'protected'),
  );
}

/** Few sets of options that hold every pair together: each set takes the next missing pair and all that fits beside it. */
function coverPairs(): string[][] {
  const missing = new Set(
    NAMES.flatMap((one, index) =>
      NAMES.slice(index + 1).flatMap((other) => (exclude(one, other) ? [] : [`${one} ${other}`])),
    ),
  );
  const sets: string[][] = [];
  for (const pair of missing) {
    const set = pair.split(' ');
    for (const name of NAMES)
      if (!set.includes(name) && set.every((one) => !exclude(one, name))) set.push(name);
    for (const one of set) for (const other of set) missing.delete(`${one} ${other}`);
    sets.push(set);
  }
  return sets;
}

describe.each(REGIONS)('in the region %s', (region) => {
  it.each(NAMES)('the optional setting %s synthesizes alone', (name) => {
    expect(synthesize('dev', settingsOf([name], region)).data.Resources).toHaveProperty('ConfigTable');
  });

  it.each(coverPairs())('synthesize together: %s, %s, …', (...names) => {
    expect(synthesize('dev', settingsOf(names, region)).data.Resources).toHaveProperty('ConfigTable');
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
