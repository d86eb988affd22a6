// Stage settings for an app of somebody's own: production's, but for what is given.
import { parseStage, type Stage, type StageSettings } from '../config.ts';
import { prod } from './prod.ts';

/** Throws one error that names every mistake. */
export function defineStage(settings: Partial<StageSettings> & Pick<StageSettings, 'name'>): Stage {
  return parseStage({ ...prod, ...settings });
}
