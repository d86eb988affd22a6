// The step `stop`: ends the run early, with a text or without output.
import type { RunStep, SettingsOf } from './step.ts';
import { renderTemplate } from './template.ts';

export const runStop: RunStep<SettingsOf<'stop'>> = (settings, context) => {
  const output = settings.text === undefined ? undefined : renderTemplate(settings.text, context.values);
  return { trace: output === undefined ? {} : { output }, end: { kind: 'done', output, stopped: true } };
};
