// `npm test`: the groups that scripts/test-groups.mjs writes. More processes than cores, because tests also wait.
import { basename } from 'node:path'

/** Tests that wait start first, then the longest groups, so that no group runs alone at the end while a core is idle. */
const ORDER = ['queues', 'files', 'products', 'requests', 'realtime', 'identity', 'recipes', 'kernel', 'reliability']
const rank = file => {
  const position = ORDER.findIndex(name => basename(file).startsWith(name))
  return position < 0 ? ORDER.length : position
}

export default {
  files: ['dist/test-groups/*.test.js'],
  require: ['./dist/test/fixtures/setup.js'],
  sortTestFiles: (a, b) => rank(a) - rank(b) || a.localeCompare(b),
  timeout: '2m',
  concurrency: 5,
  workerThreads: false,
}
