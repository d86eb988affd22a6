// The form of a kind of model that classifies.
import type { InspectedText } from '../../../core/ports/guards.ts';
import type { ClassifierGuard } from '../../../core/settings/guards/remote/classifier.ts';
import type { OpenaiSettings } from '../../providers/openai/credentials.ts';

/** How a kind of model is asked about a text, and what it says. */
export interface ClassifierFormat {
  readonly endpoint: 'chat/completions' | 'completions';
  bodyOf(guard: ClassifierGuard, text: InspectedText, settings: OpenaiSettings): unknown;
  /** Names of what was found; empty for nothing. Throws `GuardFailure` `unreadable` for anything but a verdict. */
  read(json: unknown, guard: ClassifierGuard): readonly string[];
}
