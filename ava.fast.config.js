// `npm test`: the groups that scripts/test-groups.mjs writes, larger ones first.
export default {
  files: ['dist/test-groups/*.test.js'],
  require: ['./dist/test/setup.js'],
  timeout: '2m',
  concurrency: 3,
  workerThreads: false,
}
