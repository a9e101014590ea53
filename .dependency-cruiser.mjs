/** The rooms of `src`, from the bottom: each imports from those before it alone, so no two import each other. */
const rooms = [
	'scripts',
	'facts',
	'lead',
	'store',
	'channels',
	'outbox',
	'api',
	'discovery',
	'site',
	'server',
	'cli',
	'hosts',
	'adapter',
	'content-check',
	'pages',
];

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

export default { forbidden: inOneDirection('src', rooms) };
