// Opens a session on AWS or on the local run. The stack is looked up once, when it is needed.
import { once } from '../../core/async/once.ts';
import { createOutput } from '../output/print.ts';
import type { OpenSession } from './session.ts';

/** Loads the AWS clients only for commands that need them, unlike `--help` and `validate`. */
export const openSession: OpenSession = (options, terminal) => {
  const findStack = once(async () => (await import('./find-stack.ts')).findStack(options, terminal.folder));
  return {
    options,
    terminal,
    out: createOutput(terminal, options),
    findStack,
    connect: once(async () => (await import('./compose.ts')).composePorts(await findStack())),
  };
};
