// Checks the synthesized templates against this service's own rules, which neither CloudFormation's schemas nor cdk-nag hold.
import { readFileSync } from 'node:fs';
import type {
  IPolicyValidationContext,
  IPolicyValidationPlugin,
  PolicyValidationPluginReport,
  PolicyViolation,
} from 'aws-cdk-lib';
import type { Stage } from '../config/config.ts';
import { RULES, type Rule, type SynthesizedTemplate } from './rules.ts';

/**
 * A plugin of `Validations.of(app).addPlugins`. A violation is accepted by `Validations.of(construct).acknowledge({ id: 'Neuron::RULE', reason })`.
 */
export class ServiceChecks implements IPolicyValidationPlugin {
  readonly name = 'Neuron';
  readonly ruleIds = RULES.map(({ name }) => name);
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  validate({ templatePaths }: IPolicyValidationContext): PolicyValidationPluginReport {
    const violations = templatePaths.flatMap((templatePath) => {
      const template: SynthesizedTemplate = JSON.parse(readFileSync(templatePath, 'utf8'));
      return RULES.flatMap((rule) => evaluate(rule, { template, templatePath, stage: this.#stage }));
    });
    return { success: violations.length === 0, violations };
  }
}

interface Evaluated {
  readonly template: SynthesizedTemplate;
  readonly templatePath: string;
  readonly stage: Stage;
}

function evaluate(rule: Rule, { template, templatePath, stage }: Evaluated): PolicyViolation[] {
  return Object.entries(template.Resources ?? {})
    .filter(
      ([, resource]) => rule.types.includes(resource.Type) && rule.isBroken(resource, { template, stage }),
    )
    .map(([resourceLogicalId]) => ({
      ruleName: rule.name,
      description: rule.summary,
      fix: rule.fix,
      severity: 'error',
      violatingResources: [{ resourceLogicalId, templatePath, locations: ['Properties'] }],
    }));
}
