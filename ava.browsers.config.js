// `npm run test:system`, second part: browsers, and servers from Debian's packages (scripts/system.mjs lists them).
export default {
  files: ['dist/test/system/**/*.test.js'],
  require: ['./dist/test/fixtures/setup.js'],
  timeout: '5m',
  concurrency: 2,
  workerThreads: false,
}
