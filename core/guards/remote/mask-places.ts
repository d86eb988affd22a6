// Where services masked values of a request: an idempotency key keeps that beside its answer, so that no service is asked again.
import type { MaskPlace } from '../../ports/idempotency.ts';
import { mergeCuts } from '../find.ts';
import type { RequestTexts } from '../inspect-request.ts';
import { isMaskable } from '../inspect-texts.ts';
import type { Placeholders } from '../placeholders.ts';
import { collect, inspectRequest, roleIn } from './traverse.ts';
import type { PlacedTexts, Verdicts } from './verdicts.ts';

/** The first place of each value that is masked. */
export function maskPlacesOf(
  placed: readonly Pick<PlacedTexts, 'texts'>[],
  cuts: Verdicts['cuts'],
): readonly MaskPlace[] {
  const places = new Map<string, MaskPlace>();
  for (const [place, own] of cuts) {
    const text = placed[place]?.texts.join('') ?? '';
    for (const { action, label, start, end } of mergeCuts(own)) {
      const value = text.slice(start, end);
      const key = JSON.stringify([label, value]);
      if (action !== 'mask' || !isMaskable(value) || places.has(key)) continue;
      places.set(key, { label, place, start, end });
    }
  }
  return [...places.values()];
}

/**
 * Masks the same values again, of a request that guards in the process have inspected. A place in another text than then masks a value
 * whose placeholder no answer has.
 */
export function maskAgain(
  request: RequestTexts,
  places: readonly MaskPlace[],
  placeholders: Placeholders,
): void {
  const placed = collect((inspect) => inspectRequest(request, inspect), roleIn(request.conversation));
  const wholes = placed.map(({ texts }) => texts.join(''));
  for (const { label, place, start, end } of places)
    placeholders.mask(label, (wholes[place] ?? '').slice(start, end));
}
