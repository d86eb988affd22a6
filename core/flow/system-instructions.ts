// The step `systemInstructions`: sets or extends the system text of later model calls.
import { ServiceError } from '../contract/service-error.ts';
import type { RunStep, SettingsOf } from './step.ts';
import { refuseBeyondLimit, renderTemplate } from './template.ts';

/** Between the system text so far and what is added to it. */
const PARAGRAPH = '\n\n';

/** Placeholders are filled when the step runs, so `{{output}}` is the output of the calls before it. */
export const runSystemInstructions: RunStep<SettingsOf<'systemInstructions'>> = (settings, context) => {
  const given = typeof settings === 'string' ? { text: settings, append: false } : settings;
  if (!('text' in given)) {
    throw new ServiceError('configuration', {
      reason: 'systemInstructions names a file that was not read in',
    });
  }
  const text = renderTemplate(given.text, context.values);
  const before = context.state.system;
  const system = given.append && before !== undefined ? before + PARAGRAPH + text : text;
  refuseBeyondLimit(system.length);
  return { state: { system }, trace: { output: text, decision: given.append ? 'append' : 'set' } };
};
