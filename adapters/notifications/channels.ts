// The channels of alerts. Their clients are loaded with the first alert, which most environments never send.
import { lazy } from '../../core/async/lazy.ts';
import { EVENT_TYPE } from '../../core/contract/alert-event.ts';
import { FEEDBACK_EVENT_TYPE, type FeedbackDetail } from '../../core/contract/feedback-event.ts';
import { ROLLOUT_EVENT_TYPE } from '../../core/contract/rollout-event.ts';
import type { AlertChannel } from '../../core/ports/alerts.ts';
import type { RolloutEvents } from '../../core/ports/rollout-watch.ts';

const loadEventBus = lazy(() => import('./event-bus.ts'));
const loadTopic = lazy(() => import('./topic.ts'));

/** Events on a bus of EventBridge, given by its name or ARN. */
export function createEventBusChannel(bus: string): AlertChannel {
  return {
    name: 'eventBus',
    send: async (detail) => (await loadEventBus()).putEvent(bus, EVENT_TYPE, detail),
  };
}

/** Events of rollouts that were stopped. */
export function createRolloutEvents(bus: string): RolloutEvents {
  return {
    send: async (detail) => (await loadEventBus()).putEvent(bus, ROLLOUT_EVENT_TYPE, detail),
  };
}

/** Events of values of feedback. */
export function createFeedbackEvents(bus: string) {
  return {
    send: async (detail: FeedbackDetail) => (await loadEventBus()).putEvent(bus, FEEDBACK_EVENT_TYPE, detail),
  };
}

/** Notifications of an SNS topic, for people. */
export function createTopicChannel(topicArn: string): AlertChannel {
  return {
    name: 'topic',
    send: async (detail) => (await loadTopic()).publish(topicArn, detail),
  };
}
