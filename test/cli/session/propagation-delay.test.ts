// When changes act: as the stage of the stack says, not as the default does.
import { describe, expect, it } from 'vitest';
import { secretsPropagationDelay, settingsTakeEffect } from '../../../cli/session/propagation-delay.ts';
import { createMemoryPorts } from '../memory-ports.ts';

const { stack } = createMemoryPorts();
const having = (settingsTtlMs: string, secretsTtlMs: string) => ({
  outputs: { ...stack.outputs, settingsTtlMs, secretsTtlMs },
});

describe('the propagation delay', () => {
  it('is what the stack says, in seconds or whole minutes', () => {
    expect(settingsTakeEffect(stack)).toBe('Takes effect within 15 s.');
    expect(settingsTakeEffect(having('1000', '5000'))).toBe('Takes effect within 1 s.');
    expect(settingsTakeEffect(having('60000', '5000'))).toBe('Takes effect within 1 minute.');
    expect(secretsPropagationDelay(stack)).toBe('5 minutes');
    expect(secretsPropagationDelay(having('1000', '5000'))).toBe('5 s');
    expect(secretsPropagationDelay(having('1000', '90000'))).toBe('90 s');
  });
});
