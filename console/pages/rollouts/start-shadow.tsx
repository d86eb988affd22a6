// Begins a shadow.
import { useState } from 'preact/hooks';
import type { VersionValue } from '../../data/values.ts';
import { ChangeButton } from '../../parts/change.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';

interface StartProps {
  readonly neuron: string;
  readonly versions: readonly VersionValue[];
  readonly onDone: () => void;
}

export function StartShadow({ neuron, versions, onDone }: StartProps) {
  const options = versions.flatMap(({ version, deployed }) =>
    deployed ? [] : [[version, version] as const],
  );
  const [version = options[0]?.[0] ?? '', setVersion] = useState<string>();
  const [share, setShare] = useState('5%');
  const [budget, setBudget] = useState('1');
  const [length, setLength] = useState('24h');
  if (options.length === 0) return null;
  return (
    <ChangeButton
      label="Start a shadow"
      title={`Start a shadow of ${neuron}`}
      operation="shadowStart"
      parameters={{ neuron, version, share, budget, for: length }}
      onDone={onDone}
    >
      <SelectField label="Version" value={version} onChange={setVersion} options={options} />
      <TextField label="Share of the runs" value={share} onChange={setShare} required />
      <TextField
        label="Budget in dollars"
        value={budget}
        onChange={setBudget}
        hint="What all model calls of the copies may cost together"
        required
      />
      <TextField
        label="For"
        value={length}
        onChange={setLength}
        hint="Such as 24h or 7d; at most 30d"
        required
      />
    </ChangeButton>
  );
}
