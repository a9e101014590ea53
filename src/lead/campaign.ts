/** The parameters by which advertisers name a campaign, as in `utm_campaign=spring`. */
export const campaignNames = ['utm_source', 'utm_medium', 'utm_campaign', 'gclid', 'msclkid'] as const;
