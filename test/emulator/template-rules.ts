// What the emulator cannot make, taken out of a copy of the templates before they are deployed, each with its reason.
import type { Template } from './deployment.ts';

export interface TemplateRule {
  readonly name: string;
  readonly reason: string;
  /** Gives how many resources were changed. */
  apply(template: Template): number;
}

export const TEMPLATE_RULES: readonly TemplateRule[] = [];
