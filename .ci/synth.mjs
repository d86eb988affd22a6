// Synthesizes the stages that are its arguments in one process, into cdk.out, with all checks. As with `cdk synth --strict`, a warning fails:
// one of a construct, and one of a plugin that judges the templates.
import { readFileSync } from 'node:fs';
import { buildApp } from '../lib/app.ts';

const warnings = process.argv.slice(2).flatMap((stage) => {
  const { stacks, directory } = buildApp({ stage, outdir: 'cdk.out' }).synth();
  const { pluginReports } = JSON.parse(readFileSync(`${directory}/validation-report.json`, 'utf8'));
  return [
    ...stacks.flatMap(({ messages }) =>
      messages.filter(({ level }) => level !== 'info').map(({ entry }) => entry.data),
    ),
    ...pluginReports.flatMap(({ violations }) => violations.map(({ description }) => description)),
  ].map((text) => `${stage}: ${text}`);
});
for (const warning of warnings) process.stderr.write(`${warning}\n`);
process.exitCode = warnings.length === 0 ? 0 : 1;
