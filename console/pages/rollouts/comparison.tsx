// Two versions that are chosen, beside each other.
import { useState } from 'preact/hooks';
import type { VersionValue } from '../../data/values.ts';
import { SelectField } from '../../parts/field.tsx';
import { Choice } from '../../parts/layout.tsx';
import { Compared } from './compared.tsx';

const PERIODS = [
  ['month', 'This month'],
  ['day', 'Today'],
] as const;
type Period = (typeof PERIODS)[number][0];

/** At first the deployed version, and the candidate of the rollout or the newest other one. */
export function Comparison({
  neuron,
  versions,
  candidate,
}: {
  readonly neuron: string;
  /** Newest first; at least two. */
  readonly versions: readonly VersionValue[];
  readonly candidate: string | undefined;
}) {
  const deployed = versions.find((one) => one.deployed)?.version;
  const [version, setVersion] = useState(deployed ?? versions[1]?.version ?? '');
  const [other, setOther] = useState(
    candidate ?? versions.find((one) => one.version !== version)?.version ?? '',
  );
  const [period, setPeriod] = useState<Period>('month');
  const options = versions.map((one) => [
    one.version,
    one.deployed ? `${one.version} (deployed)` : one.version,
  ]) as readonly (readonly [string, string])[];
  return (
    <Compared
      title="Two versions"
      neuron={neuron}
      version={version}
      other={other}
      period={period}
      aside={<Choice<Period> label="Period" values={PERIODS} value={period} onChange={setPeriod} />}
    >
      <div class="pair">
        <SelectField label="Version" value={version} onChange={setVersion} options={options} />
        <SelectField label="Beside" value={other} onChange={setOther} options={options} />
      </div>
    </Compared>
  );
}
