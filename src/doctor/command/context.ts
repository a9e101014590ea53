import type { Call } from '../../command/command.ts';
import type { DoctorSettings } from '../examination.ts';
import type { options } from './options.ts';

export interface DoctorNeeds {
	settings: DoctorSettings;
}

/** What the command is given. */
export type DoctorContext = Call<typeof options> & DoctorNeeds;
