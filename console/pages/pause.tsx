// Pauses an organization and resumes it.
import { useState } from 'preact/hooks';
import { useCommand } from '../data/use-query.ts';
import type { OrganizationValue } from '../data/values.ts';
import { ChangeButton } from '../parts/change.tsx';
import { TextField } from '../parts/field.tsx';

/** A paused organization answers every call 429. */
export function PauseButton({ organization }: { readonly organization: string }) {
  const [retryAfter, setRetryAfter] = useState('1h');
  const organizations = useCommand<OrganizationValue>('organizations');
  const isPaused = organizations.data?.values.find((one) => one.organization === organization)?.paused;
  if (isPaused === undefined) return null;
  return isPaused ? (
    <ChangeButton
      label="Resume"
      primary
      title={`Resume ${organization}`}
      operation="resume"
      input={{ organization }}
      onDone={organizations.reload}
    >
      <p>Calls are answered again.</p>
    </ChangeButton>
  ) : (
    <ChangeButton
      label="Pause"
      danger
      title={`Pause ${organization}`}
      operation="pause"
      input={{ organization, 'retry-after': retryAfter }}
      onDone={organizations.reload}
    >
      <p>Every call of {organization} is answered 429 until you resume it.</p>
      <TextField
        label="Retry-After of the answers"
        value={retryAfter}
        onChange={setRetryAfter}
        hint="Such as 10m or 1h"
      />
    </ChangeButton>
  );
}
