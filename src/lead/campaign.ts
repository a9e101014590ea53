/** The parameters by which advertisers name a campaign, as in `utm_campaign=spring`. Alone, because the pages' script has them too. */
export const campaignNames = ['utm_source', 'utm_medium', 'utm_campaign', 'gclid', 'msclkid'] as const;
