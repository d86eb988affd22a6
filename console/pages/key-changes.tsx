// Creates, limits and revokes API keys.
import { useState } from 'preact/hooks';
import { pathTo } from '../data/paths.ts';
import type { KeyValue } from '../data/values.ts';
import { ChangeButton } from '../parts/change.tsx';
import { AreaField, TextField } from '../parts/field.tsx';
import { CommandLine } from '../parts/layout.tsx';
import { PauseButton } from './pause.tsx';

const LIMITS_HINT =
  'One a line, such as: cost 50 month. Metrics are requests, tokens and cost; periods minute, day and month.';

/** `cost 50 month`, as the command takes it, with cost in dollars. */
export function renderLimits(limits: KeyValue['limits'], separator: string): string {
  return limits
    .map(
      ({ metric, limit, period }) => `${metric} ${metric === 'cost' ? limit / 1_000_000 : limit} ${period}`,
    )
    .join(separator);
}

interface KeyProps {
  readonly organization: string;
  readonly value: KeyValue;
  readonly onDone: () => void;
}

/** Nothing is drawn for a revoked key. */
export function KeyActions(props: KeyProps) {
  if (props.value.revokedAt !== null) return null;
  return (
    <span class="actions">
      {props.value.replacedAt === null && <LimitButton {...props} />}
      <PauseButton
        subject={props.value.name}
        isPaused={props.value.pausedAt !== null}
        pause="pauseKey"
        resume="resumeKey"
        parameters={{ organization: props.organization, key: props.value.keyId }}
        onDone={props.onDone}
      />
      <RevokeButton {...props} />
    </span>
  );
}

function LimitButton({ organization, value: { keyId, name, limits: before }, onDone }: KeyProps) {
  const [limits, setLimits] = useState(renderLimits(before, '\n'));
  return (
    <ChangeButton
      label="Limit"
      title={`Limit ${name}`}
      operation="limitKey"
      parameters={{ organization, key: keyId, limits }}
      onDone={onDone}
    >
      <p>The limits of the key, in place of those that it has, from the next request on.</p>
      <AreaField
        label="Limits"
        value={limits}
        onChange={setLimits}
        rows={3}
        hint={`${LIMITS_HINT} Empty: no limits.`}
      />
    </ChangeButton>
  );
}

function RevokeButton({ organization, value: { keyId, name }, onDone }: KeyProps) {
  return (
    <ChangeButton
      label="Revoke"
      danger
      title={`Revoke ${name}`}
      operation="revokeKey"
      parameters={{ organization, key: keyId }}
      onDone={onDone}
    >
      <p>
        Requests with this key are denied from the next one on. This cannot be undone.{' '}
        <a href={pathTo(organization, 'logs', { key: keyId })}>Calls of this key</a>
      </p>
    </ChangeButton>
  );
}

export function CreateKey({
  organization,
  onDone,
}: {
  readonly organization: string;
  readonly onDone: () => void;
}) {
  const [name, setName] = useState('');
  const [expires, setExpires] = useState('90d');
  const [neurons, setNeurons] = useState('');
  const [limits, setLimits] = useState('');
  const [tags, setTags] = useState('');
  return (
    <ChangeButton<{ readonly key: string }>
      label="Create a key"
      primary
      title="Create an API key"
      operation="createKey"
      parameters={{ organization, name, expires, neurons: neurons.replaceAll(' ', ''), limits, tags }}
      isReady={name.trim() !== ''}
      onDone={onDone}
      show={({ key }) => <NewKey value={key} />}
    >
      <TextField label="Name" value={name} onChange={setName} required hint="Who uses it" />
      <TextField
        label="Lifetime"
        value={expires}
        onChange={setExpires}
        hint="Such as 90d; empty: until it is revoked"
      />
      <TextField
        label="Neurons"
        value={neurons}
        onChange={setNeurons}
        hint="Such as support, sales; empty: all of the organization"
      />
      <AreaField label="Limits" value={limits} onChange={setLimits} rows={2} hint={LIMITS_HINT} />
      <AreaField
        label="Tags"
        value={tags}
        onChange={setTags}
        rows={2}
        hint="One a line, such as: team=shop"
      />
    </ChangeButton>
  );
}

function NewKey({ value }: { readonly value: string }) {
  return (
    <>
      <p>
        <b>This is the only time the key is shown.</b> Copy it now. Never put it in the code of a web page or
        app.
      </p>
      <CommandLine command={value} plain />
    </>
  );
}
