// Runs a part of a CDK app, and prints an error of its settings without Node's stack.
import { StageError } from '../lib/config/stage-error.ts';

/** Sets the exit code 1 after such an error. Throws others, whose stack is needed. */
export function printStageErrors(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof StageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
