// One configuration per kind of test. scripts/test.mjs names the kind in LARDER_TESTS; without one, AVA runs compiled test
// files by their path, each in a separate process: `npx ava dist/test/modules/forms/pages.test.js`. See docs/testing.md.
import { basename } from 'node:path'

const setup = ['./dist/test/fixtures/setup.js']

/** `npm test` runs the groups that scripts/test-groups.mjs writes, and no file of these kinds. */
export const KINDS = {
  /** All groups at once, more than there are cores, because tests also wait. */
  fast: { files: ['dist/test-groups/*.test.js'], require: setup, timeout: '2m', concurrency: 6 },
  /** The files of `npm test` that start no kernel and no database. */
  unit: { files: ['dist/test-groups/*.test.js'], require: setup, timeout: '2m', concurrency: 2 },
  /**
   * The command line, killed processes, compilers, every route called many times, browsers, and servers from Debian's
   * packages (scripts/system.mjs).
   */
  system: {
    files: ['dist/test/**/*.system.test.js', 'dist/test/system/**/*.test.js'],
    first: [
      ...[
        'interruptions.system',
        'backup.system',
        // Before 'init', which takes the base of its image from it.
        'deploy',
        'tutorials',
        'pack',
        'init',
        'kill.system',
        'pauses.system',
      ],
      ...['site', 'console-identity', 'console-operations', 'console-media', 'console-large'],
      ...['media-s3', 'reference', 'console-inbox', 'console-operators', 'console-platform'],
      ...['console-content', 'browser-broadcast', 'passkeys', 'pgbouncer', 'console-collections', 'marketplace'],
    ],
    require: setup,
    timeout: '5m',
    concurrency: 2,
  },
  /** Screens in every width, theme and language: the journeys of the system tests, with each screen in all variants. */
  matrix: {
    files: [
      'dist/test/matrix/**/*.test.js',
      'dist/test/system/{billing,browser-broadcast,challenge,console*,front-door,marketplace,media-pages,messages-pages,passkeys,providers,questions,reference,second-factor,sign-in-page,single-sign-on}.test.js',
    ],
    require: setup,
    timeout: '15m',
    concurrency: 2,
  },
  /** Minutes to an hour, with passwords at their full cost. */
  soak: { files: ['dist/test/soak/**/*.test.js'], timeout: '60m', concurrency: 1 },
  /** Real servers of other projects. */
  peers: { files: ['dist/test/peers/**/*.test.js'], require: setup, timeout: '15m', concurrency: 1 },
  /** Several PostgreSQL nodes that fail over, from Debian's packages (scripts/system.mjs). */
  cluster: { files: ['dist/test/cluster/**/*.test.js'], require: setup, timeout: '30m', concurrency: 1 },
}

const file = { files: ['dist/test/**/*.test.js'], require: setup, timeout: '2m', concurrency: 2 }

const { first = [], ...config } = KINDS[process.env.LARDER_TESTS] ?? file

/** The longest start first, so that none runs alone at the end while a core is idle. */
const rank = path => {
  const position = first.indexOf(basename(path, '.test.js').replace(/-\d$/, ''))
  return position < 0 ? first.length : position
}

export default { ...config, sortTestFiles: (a, b) => rank(a) - rank(b) || a.localeCompare(b), workerThreads: false }
