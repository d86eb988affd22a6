// The address of the first page: its period, and the order of organizations.

export const ORDERS = ['cost', 'requests', 'failed', 'refused', 'guards'] as const;

export interface ServiceView {
  readonly period: 'day' | 'month';
  readonly order: (typeof ORDERS)[number];
}

export function toView(query: Readonly<Record<string, string>>): ServiceView {
  return {
    // A month of ten thousand organizations is a row for each day and organization.
    period: query['period'] === 'month' ? 'month' : 'day',
    order: ORDERS.find((order) => order === query['sort']) ?? 'cost',
  };
}

/** `/?period=day&sort=failed`. */
export function toPath({ period, order }: ServiceView): string {
  return `/?period=${period}&sort=${order}`;
}
