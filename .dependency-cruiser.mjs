/** The rooms of `src`, from the bottom: each imports from those before it alone, so no two import each other. */
const rooms = [
	'scripts',
	'values',
	'facts',
	'http',
	'lead',
	'operations',
	'discovery',
	'site',
	'server',
	'function',
	'command',
	'doctor',
	'programs',
	'hosts',
	'adapter',
	'content-check',
	'pages',
];

/** The folders of `src/lead`, likewise. The files beside them are what all of them share, and `pipeline.ts`, which joins them. */
const leadRooms = ['spam', 'store', 'message', 'channels', 'delivery', 'intake'];

/**
 * Forbids each folder what stands after it in the list, and folders that do not stand there to import anything.
 *
 * @returns {import('dependency-cruiser').IRegularForbiddenRuleType[]}
 */
const inOneDirection = (/** @type {string} */ folder, /** @type {string[]} */ order) =>
	[...order, '(?!' + order.join('|') + ')[^/]+'].map((room, index) => ({
		name: order[index] === undefined ? 'a new room needs a place in the order' : `${room} stands below`,
		severity: 'error',
		from: { path: `^${folder}/${room}/` },
		to: { path: `^${folder}/[^/]+/`, pathNot: `^${folder}/(${order.slice(0, index + 1).join('|')})/` },
	}));

export default { forbidden: [...inOneDirection('src', rooms), ...inOneDirection('src/lead', leadRooms)] };
