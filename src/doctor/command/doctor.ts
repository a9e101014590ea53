import { ONLY, type Program } from '../../command/command.ts';
import type { DoctorNeeds } from './context.ts';
import { examine } from './examine.ts';
import { options } from './options.ts';

/** Whether what is deployed is what was built, and works. */
export const doctor: Program<typeof options, DoctorNeeds> = {
	script: 'doctor',
	purpose: 'Looks whether what is deployed is what was built, and works',
	commands: {
		[ONLY]: {
			operand: 'ORIGIN',
			options: ['lead', 'at', 'dns', 'json'],
			summary: 'Look at everything, and say what to do.',
			run: examine,
		},
	},
	options,
	local: 'As in leads; what is looked at is the same with it.',
	operands:
		'ORIGIN is scheme and host, as in SITE_URL: https://www.example.com. Nothing is sent to the sales team without --lead.',
	needs: (settings) => ({ settings }),
};
