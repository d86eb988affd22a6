// Requests for neurons that do not exist: counted in a metric, by two lines a minute at most.
import { expect, it } from 'vitest';
import { createUnknownNeurons } from '../../../core/logs/unknown-neurons.ts';
import { NOON_MS } from './entries.ts';

it('a thousand of them in a minute are two lines that count them all', () => {
  const lines: string[] = [];
  const ports = { stage: 'test', lines: { write: (line: string) => void lines.push(line) } };
  const unknown = createUnknownNeurons();
  for (let index = 0; index < 1_000; index += 1) unknown.count(`exec-${index}`, NOON_MS, ports);
  expect(lines).toHaveLength(1);
  unknown.report(NOON_MS + 59_999, ports);
  expect(lines).toHaveLength(1);
  unknown.report(NOON_MS + 60_000, ports);
  unknown.report(NOON_MS + 60_000, ports);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { neuronUnknown: 1, executionId: 'exec-0', UnknownNeurons: 1 },
    { neuronUnknown: 999, executionId: 'exec-999', UnknownNeurons: 999 },
  ]);
});
