// The matrix of stages and optional settings: each setting passes all checks in every stage, beside every other one in one of them, and upgrades
// from the newest release. In .ci/deep each pair does in every stage, and each setting alone.
import { describe, expect, it } from 'vitest';
import { STAGES } from '../../lib/app.ts';
import { parseStage } from '../../lib/config/config.ts';
import { dev } from '../../lib/stages/dev.ts';
import { keptTemplate } from './kept-templates.ts';
import { losses } from './losses.ts';
import { coverPairs, listPairs, OPTIONS, REGION, settingsOf } from './optional-settings.ts';
import { synthesize } from './synthesized.ts';

const NAMES = Object.keys(OPTIONS);
/** `PAIRS=each` (.ci/deep) tries each setting and each pair by itself; otherwise a few sets hold all pairs. */
const isEach = process.env['PAIRS'] === 'each';
const SETS = isEach ? listPairs() : coverPairs();
/** Whose templates are compared with those of the newest release. */
const DEPLOYED = ['dev', 'prod'] as const;
/** Deployed stages take turns, so that each pair is compared; the others get a few. An option in none of a stage's sets is tried alone there. */
function setsOf(stage: string): readonly (readonly string[])[] {
  if (isEach) return SETS;
  const own = SETS.filter((_set, index) => DEPLOYED[index % DEPLOYED.length] === stage);
  const sets = own.length > 0 ? own : SETS.slice(0, 4);
  const tried = new Set(sets.flat());
  return [...sets, ...NAMES.filter((name) => !tried.has(name)).map((name) => [name])];
}
/** One stage names its region, which a table's key needs; the other two deploy to that of the credentials. */
const REGIONS: Readonly<Record<string, string>> = { local: REGION };

describe.each(Object.keys(STAGES))('in the stage %s', (stage) => {
  /** `synthesize` throws on the first failed check: CloudFormation's schemas, cdk-nag, lib/checks. */
  function expectDeployable(names: readonly string[]): void {
    const after = synthesize(stage, settingsOf(names, REGIONS[stage]));
    expect(after.data.Resources).toHaveProperty('ConfigTable');
    const deployed = DEPLOYED.find((name) => name === stage);
    if (deployed === undefined) return;
    expect(losses(keptTemplate('data', deployed), after.data)).toEqual([]);
    expect(losses(keptTemplate('api', deployed), after.api)).toEqual([]);
  }

  it.each(isEach ? NAMES : [])(
    'the optional setting %s passes every check, and loses nothing of a deployed stage',
    (name) => {
      expectDeployable([name]);
    },
  );

  it.each(setsOf(stage).map((names) => [names.join(', '), names] as const))(
    'so do together: %s',
    (_names, names) => {
      expectDeployable(names);
    },
  );
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

  it('try every pair that is no pair of values of one setting', () => {
    const covered = ([one, other]: readonly [string, string]) =>
      SETS.some((set) => set.includes(one) && set.includes(other));
    expect(listPairs().filter((pair) => !covered(pair))).toEqual([]);
    // A pair whose settings were written over by each other would be tried in name only.
    for (const set of SETS)
      for (const name of set) {
        const settings = settingsOf(set, undefined);
        expect([set, settings]).toEqual([set, { ...settings, ...OPTIONS[name] }]);
      }
  });
});
