// Stage settings for an app of somebody's own: production's, but for what is given.
import { validateNeurons } from '../checks/neurons.ts';
import { prod } from '../stages/prod.ts';
import { parseStage, type Stage, type StageSettings } from './config.ts';

/** Throws one error that names every mistake, of the settings themselves or of the files that they name. */
export function defineStage(settings: Partial<StageSettings> & Pick<StageSettings, 'name'>): Stage {
  const stage = parseStage({ ...prod, ...settings });
  validateNeurons(stage, process.cwd());
  return stage;
}
