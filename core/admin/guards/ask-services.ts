// Asks the services of guards about a text, as a request would when guards in the process have let it pass.
import type { LoggedGuard } from '../../contract/log-entry.ts';
import { type ServiceError, toServiceError } from '../../contract/service-error.ts';
import type { ActiveGuard } from '../../guards/active-guards.ts';
import type { Block } from '../../guards/block.ts';
import type { Placeholders } from '../../guards/placeholders.ts';
import { createAsking } from '../../guards/remote/asking.ts';
import { toQuestions } from '../../guards/remote/verdicts.ts';
import type { Stage } from '../../settings/guards/guards-schema.ts';
import { type AlonePorts, askAlone, ROLES } from './ask-alone.ts';

/** A text as services leave it. */
export interface AskedText {
  readonly blocked: Block | undefined;
  /** The text with what they cut out. */
  readonly leaves: string;
  readonly finds: readonly LoggedGuard[];
  /** The error that a request would get, where a guard is closed and gave no verdict. */
  readonly error: ServiceError | undefined;
}

/** Nothing is reserved or booked. Never rejects for a service that fails. */
export async function askServices(
  guards: readonly ActiveGuard[],
  {
    stage,
    text,
    placeholders,
  }: { readonly stage: Stage; readonly text: string; readonly placeholders: Placeholders },
  ports: AlonePorts,
): Promise<AskedText> {
  const place = { stage };
  const placed = [{ place, role: ROLES[stage], texts: [text] }];
  return askAlone(ports, async (alone) => {
    const asking = createAsking(placeholders, alone);
    try {
      const { blocked, replay } = await asking.askAll(
        toQuestions(guards, placed, () => true),
        placed,
      );
      await asking.ended();
      const [leaves = text] = replay(place, [text]);
      return { blocked, leaves, finds: asking.found(), error: undefined };
    } catch (thrown) {
      await asking.ended();
      return { blocked: undefined, leaves: text, finds: asking.found(), error: toServiceError(thrown) };
    }
  });
}
