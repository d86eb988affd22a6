// In a function's process: gives console output its form in a Lambda log.

import { format } from 'node:util';

const LEVELS = {
  log: 'INFO',
  info: 'INFO',
  debug: 'DEBUG',
  warn: 'WARN',
  error: 'ERROR',
  trace: 'TRACE',
} as const;

type WriteLine = (level: (typeof LEVELS)[keyof typeof LEVELS], ...values: unknown[]) => void;

/**
 * One line per call: time, request id, level and text between tabs, or a JSON object when the function's log format is
 * JSON (Lambda Developer Guide, "Log and monitor Node.js Lambda functions").
 */
export function createLineWriter(json: boolean, currentRequestId: () => string | undefined): WriteLine {
  return (level, ...values) => {
    const line = json
      ? jsonLine(level, currentRequestId(), values)
      : `${new Date().toISOString()}\t${currentRequestId()}\t${level}\t${format(...values)}`;
    process.stdout.write(`${line.replaceAll('\n', '\r')}\n`);
  };
}

/** Sends `console` through the writer; `process.stdout` itself stays as it is. */
export function patchConsole(console: Console, write: WriteLine): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    console[method as keyof typeof LEVELS] = (...values: unknown[]) => write(level, ...values);
  }
}

function jsonLine(level: string, requestId: string | undefined, values: readonly unknown[]): string {
  const only = values.length === 1 ? values[0] : undefined;
  const message =
    typeof only === 'object' && only !== null && !(only instanceof Error) ? only : format(...values);
  const entry = { timestamp: new Date().toISOString(), level, requestId, message };
  try {
    return JSON.stringify(entry);
  } catch {
    return JSON.stringify({ ...entry, message: format(...values) });
  }
}
