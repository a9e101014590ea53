import { randomUUID } from 'node:crypto';
import type { Channel } from '../channels/channel.ts';
import { type Lane, type LaneOptions, startLane } from './lane.ts';

export interface OutboxOptions extends Omit<LaneOptions, 'channel' | 'owner' | 'nudgeAll'> {
	channels: Channel[];
}

/**
 * Brings what the store holds to the channels, until each has it or has refused it for good. Each channel has a lane of its own, so that
 * a slow one holds up no other; the outbox is what all lanes do together.
 */
export function startOutbox({ channels, ...options }: OutboxOptions): Lane {
	const owner = randomUUID();
	const lanes = channels.map((channel) => startLane({ ...options, channel, owner, nudgeAll }));
	return {
		nudge: nudgeAll,
		async tryDue() {
			await Promise.all(lanes.map((lane) => lane.tryDue()));
		},
		async stop() {
			await Promise.all(lanes.map((lane) => lane.stop()));
			await options.store.endLeases(owner);
		},
	};

	function nudgeAll(): void {
		for (const lane of lanes) lane.nudge();
	}
}
