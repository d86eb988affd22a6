// Begins a rollout.
import { useState } from 'preact/hooks';
import type { VersionValue } from '../../data/values.ts';
import { ChangeButton } from '../../parts/change.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';

const SUBJECTS = [
  ['', 'as the settings say'],
  ['user', 'user'],
  ['key', 'API key'],
  ['address', 'address'],
  ['request', 'request: one user sees both'],
] as const;

interface StartProps {
  readonly neuron: string;
  readonly versions: readonly VersionValue[];
  readonly onDone: () => void;
}

export function StartRollout({ neuron, versions, onDone }: StartProps) {
  const options = versions.flatMap(({ version, deployed }) =>
    deployed ? [] : [[version, version] as const],
  );
  const [version = options[0]?.[0] ?? '', setVersion] = useState<string>();
  const [share, setShare] = useState('');
  const [by, setBy] = useState('');
  if (options.length === 0) return null;
  return (
    <ChangeButton
      label="Start a rollout"
      title={`Start a rollout of ${neuron}`}
      operation="rolloutStart"
      parameters={{ neuron, version, share, by }}
      onDone={onDone}
    >
      <SelectField label="Version" value={version} onChange={setVersion} options={options} />
      <TextField
        label="Share"
        value={share}
        onChange={setShare}
        placeholder="5%"
        hint="Empty for the stages of the settings"
      />
      <SelectField label="Who stays on one side" value={by} onChange={setBy} options={SUBJECTS} />
    </ChangeButton>
  );
}
