// `neuron keys`: the API keys of an organization.
import { command } from '../command/command.ts';
import { keysAudit } from './audit.ts';
import { keysCreate } from './create.ts';
import { keysImport } from './import.ts';
import { keysList } from './list.ts';
import { keysPause, keysResume } from './pause.ts';
import { keysRevoke } from './revoke.ts';
import { keysRotate } from './rotate.ts';
import { keysUpdate } from './update.ts';

export const keys = command({
  name: 'keys',
  commands: [
    keysCreate,
    keysImport,
    keysList,
    keysUpdate,
    keysRotate,
    keysPause,
    keysResume,
    keysRevoke,
    keysAudit,
  ],
});
