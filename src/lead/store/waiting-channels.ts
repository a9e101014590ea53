/** The same for both databases: from one channel to the next by the index, and not through all that waits. */
export const waitingChannels = `
	WITH RECURSIVE waiting (channel) AS (
		SELECT min(channel) FROM lead_deliveries WHERE state = 'waiting'
		UNION ALL
		SELECT (SELECT min(channel) FROM lead_deliveries WHERE state = 'waiting' AND channel > waiting.channel)
		FROM waiting WHERE waiting.channel IS NOT NULL
	)
	SELECT channel FROM waiting WHERE channel IS NOT NULL`;
