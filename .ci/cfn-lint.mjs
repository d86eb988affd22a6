// Runs cfn-lint over the synthesized templates, where it is installed. A finding fails unless it is accepted here, with its reason.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const ACCEPTED = [
  {
    rule: 'E3002',
    says: "'VectorIndexes' was unexpected",
    reason: 'cfn-lint 1.51 does not know vector indexes of August 2026 yet; the validator of the CDK does',
  },
  {
    rule: 'W3037',
    says: "'searchvectors' is not one of",
    reason: 'the same for the action that searches them',
  },
  {
    rule: 'W3005',
    says: 'dependency already enforced',
    reason: 'the CDK writes the dependency on a role and on its policy; the first is needless and harmless',
  },
  {
    rule: 'W6001',
    says: 'is an import from another output',
    reason: 'all outputs stand on one stack, so that one lookup describes a deployment',
  },
];

const templates = globSync('cdk.out/*.template.json');
const run = spawnSync('cfn-lint', ['-r', 'us-east-1', '--format', 'json', '-t', ...templates], {
  encoding: 'utf8',
  maxBuffer: 1e8,
});
if (run.error !== undefined || run.stdout === '') {
  process.stdout.write(
    'cfn-lint is not installed: skipped. The template validator of the CDK ran with the synth.\n',
  );
  process.exit(0);
}
const findings = JSON.parse(run.stdout);
const isAccepted = ({ Rule, Message }) =>
  ACCEPTED.some(({ rule, says }) => rule === Rule.Id && Message.includes(says));
const refused = findings.filter((finding) => !isAccepted(finding));
for (const { Rule, Message, Filename, Location } of refused) {
  process.stderr.write(`${Filename}:${Location.Start.LineNumber}: ${Rule.Id} ${Message.slice(0, 300)}\n`);
}
process.stdout.write(
  `cfn-lint: ${templates.length} templates, ${findings.length - refused.length} accepted findings, ${refused.length} others\n`,
);
process.exit(refused.length > 0 ? 1 : 0);
