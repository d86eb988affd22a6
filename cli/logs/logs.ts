// `neuron logs`: the log of calls and changes, and its verbs.
import { command } from '../command/command.ts';
import { logsExport } from './export/export.ts';
import { logsList, OWNERS, showLog } from './list/list.ts';
import { LOG_CONFLICTS, LOG_OPTIONS } from './log-options.ts';
import { logsRestore } from './restore/restore.ts';
import { logsRotateKey } from './rotate-key.ts';
import { logsHead } from './seals/head.ts';
import { logsVerify } from './seals/verify.ts';

export const logs = command({
  name: 'logs',
  arguments: { targets: OWNERS },
  options: LOG_OPTIONS,
  conflicts: LOG_CONFLICTS,
  commands: [logsList, logsExport, logsVerify, logsHead, logsRestore, logsRotateKey],
  run: showLog,
});
