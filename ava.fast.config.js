// `npm test`: the groups that scripts/test-groups.mjs writes. More processes than cores, because tests also wait.
/** Start first, so that no long group runs alone at the end. */
const LONG = ['reliability', 'recipes', 'queues', 'identity', 'comms', 'streams', 'messaging', 'media']
const rank = file => {
  const position = LONG.findIndex(name => file.includes(`/${name}`) || file.includes(`\\${name}`))
  return position < 0 ? LONG.length : position
}

export default {
  files: ['dist/test-groups/*.test.js'],
  require: ['./dist/test/fixtures/setup.js'],
  sortTestFiles: (a, b) => rank(a) - rank(b) || a.localeCompare(b),
  timeout: '2m',
  concurrency: 4,
  workerThreads: false,
}
