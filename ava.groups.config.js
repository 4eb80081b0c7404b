// `npm test`: the groups that scripts/test-groups.mjs writes.
export default {
  files: ['dist/test-groups/*.test.js'],
  timeout: '2m',
  concurrency: 3,
  workerThreads: false,
}
