// `npm run test:system`, second part: browsers, and servers from Debian's packages (scripts/system.mjs lists them).
import { basename } from 'node:path'

/** The longest files start first, so that no file runs alone at the end while a core is idle. */
const LONGEST = [
  ...['site', 'hostile-names', 'console-identity', 'console-operations', 'console-media', 'console-large'],
  ...['media-s3', 'deploy', 'reference', 'console-inbox', 'console-operators', 'console-platform'],
  ...['console-content', 'browser-broadcast'],
]
const rank = file => {
  const position = LONGEST.indexOf(basename(file, '.test.js'))
  return position < 0 ? LONGEST.length : position
}

export default {
  files: ['dist/test/system/**/*.test.js'],
  require: ['./dist/test/fixtures/setup.js'],
  sortTestFiles: (a, b) => rank(a) - rank(b) || a.localeCompare(b),
  timeout: '5m',
  concurrency: 2,
  workerThreads: false,
}
