// Pauses an organization, a neuron or a key, and resumes it.
import { useState } from 'preact/hooks';
import { ChangeButton } from '../parts/change.tsx';
import { TextField } from '../parts/field.tsx';

/** `pause` and `resume`: names of operations. */
export function PauseButton({
  noun,
  subject,
  isPaused,
  pause,
  resume,
  parameters,
  onDone,
}: {
  /** Such as `organization`, where the button does not stand beside what it pauses. */
  readonly noun?: string;
  readonly subject: string;
  readonly isPaused: boolean;
  readonly pause: string;
  readonly resume: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly onDone: () => void;
}) {
  const [retryAfter, setRetryAfter] = useState('1h');
  const suffix = noun === undefined ? '' : ` ${noun}`;
  return isPaused ? (
    <ChangeButton
      label={`Resume${suffix}`}
      primary
      title={`Resume ${subject}`}
      operation={resume}
      parameters={parameters}
      onDone={onDone}
    >
      <p>Calls are answered again.</p>
    </ChangeButton>
  ) : (
    <ChangeButton
      label={`Pause${suffix}`}
      danger
      title={`Pause ${subject}`}
      operation={pause}
      parameters={{ ...parameters, 'retry-after': retryAfter }}
      onDone={onDone}
    >
      <p>Every call of {subject} is answered 429 until you resume it.</p>
      <TextField
        label="Retry-After of the answers"
        value={retryAfter}
        onChange={setRetryAfter}
        hint="Such as 10m or 1h"
      />
    </ChangeButton>
  );
}
