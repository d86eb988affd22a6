// The step `serveOutput`: ends the run with the latest model output, or with a text of its own.
import type { RunStep, SettingsOf } from './step.ts';
import { renderTemplate } from './template.ts';

/** A run that called no model serves the empty text. */
export const runServeOutput: RunStep<SettingsOf<'serveOutput'>> = (settings, context) => {
  const output =
    settings.text === undefined
      ? (context.state.output ?? '')
      : renderTemplate(settings.text, context.values);
  return { trace: { output }, end: { kind: 'done', output, stopped: false } };
};
