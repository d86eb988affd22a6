// Measures the CPU of the authorizer for one request with a token, warm: settings, key set and secret are in memory.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Milliseconds of CPU (user and system, all threads) per request, and calls of stores and network after the first one. */
export interface TokenCost {
  readonly algorithm: string;
  readonly p50: number;
  readonly p99: number;
  readonly steps: number;
}

/** In a process of its own, one algorithm after the other. */
export function measureTokens(): Promise<readonly TokenCost[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'authorizer-tokens-process.ts')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as TokenCost[]));
    child.once('exit', (code) => reject(new Error(`the measuring process ended with ${code}`)));
  });
}
