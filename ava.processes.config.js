// `npm run test:system`, first part: the command line, killed processes, compilers.
export default {
  files: ['dist/test/**/*.system.test.js'],
  require: ['./dist/test/fixtures/setup.js'],
  timeout: '5m',
  concurrency: 2,
  workerThreads: false,
}
