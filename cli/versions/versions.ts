// `neuron versions`: the versions of a neuron, their rollouts and shadows.
import { command } from '../command/command.ts';
import { versionsCompare } from './compare.ts';
import { versionsDeploy, versionsUndeploy } from './deploy.ts';
import { versionsDiff } from './diff.ts';
import { versionsSave } from './drafts/save.ts';
import { versionsTry } from './drafts/try.ts';
import { versionsKey } from './key.ts';
import { versionsList } from './list.ts';
import { versionsRollout } from './rollouts.ts';
import { versionsShadow } from './shadow/shadow.ts';
import { versionsShow } from './show.ts';

export const versions = command({
  name: 'versions',
  commands: [
    versionsList,
    versionsShow,
    versionsDiff,
    versionsCompare,
    versionsTry,
    versionsSave,
    versionsDeploy,
    versionsUndeploy,
    versionsKey,
    versionsRollout,
    versionsShadow,
  ],
});
