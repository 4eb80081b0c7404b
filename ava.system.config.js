// `npm run test:system`: command line, killed processes, browsers, and what needs Debian's packages (scripts/system.mjs).
export default {
  files: ['dist/test/**/*.system.test.js', 'dist/test/system/**/*.test.js'],
  require: ['./dist/test/setup.js'],
  timeout: '5m',
  concurrency: 2,
  workerThreads: false,
}
