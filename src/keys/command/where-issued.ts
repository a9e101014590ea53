import { failed, type Report } from '../../command/command.ts';
import { service } from '../../service/load.ts';

/** A command that makes a key: refused where no keys are issued, before it looks at anything else. */
export const whereIssued =
	<Context>(work: (context: Context) => Promise<Report>) =>
	(context: Context): Promise<Report> =>
		service.keys === 'issued' ? work(context) : Promise.resolve(failed(NOT_ISSUED));

const NOT_ISSUED =
	'No API keys are issued, so none was made: to issue some, write `keys: issued` in content/service.yaml, build, and start what was built.';
